import Contracts
import JSONText
import LenientCoding
import Synchronization
import TestSupport
import Testing

/// Documents that are given up after some of them has been read.
@Suite("Deadlines of documents")
struct ExpiryTests {
    private static func normalize(
        _ name: String, _ bytes: [UInt8], _ isExpired: @escaping @Sendable () -> Bool
    ) throws -> ShapedDocument {
        let options = JSONOptions(isExpired: isExpired)
        if let dialect = Dialect.named(name) { return try dialect.normalize(bytes, options: options).shaped() }
        return try #require(TweetDialect.named(name)).normalize(bytes, options: options).shaped()
    }

    private static let many = 20_000
    private static func repeated(_ text: String) -> String {
        Array(repeating: text, count: many).joined(separator: ",")
    }

    private static let documents: [(dialect: String, text: String)] = [
        ("darkSky", #"{"latitude":1,"longitude":2,"timezone":"x","hourly":{"data":[\#(repeated("{}"))]}}"#),
        ("darkSky", #"{"latitude":1,"longitude":2,"timezone":"x","hourly":{"data":[\#(repeated(#"{"time":1}"#))]}}"#),
        ("darkSky", #"{"latitude":1,"longitude":2,"timezone":"x","currently":{"time":1,\#(repeated(#""a":{}"#))}}"#),
        (
            "openMeteo",
            #"{"latitude":1,"longitude":2,"timezone":"x","hourly":{"time":[\#(repeated("1"))],"temperature_2m":[\#(repeated("1"))]}}"#
        ),
        ("weatherKit", #"{"forecastHourly":{"hours":[\#(repeated("{}"))]}}"#),
        ("twitter", "[\(repeated("{}"))]"), ("mastodon", "[\(repeated("{}"))]"),
        ("twitter", #"{"id":1,"created_at":"Wed Aug 27 13:08:45 +0000 2008","text":"x",\#(repeated(#""a":1"#))}"#),
        ("twitterV2", #"{"data":[\#(repeated(#"{"id":"1"}"#))]}"#),
    ]

    @Test("A document is normalized completely or not at all, whenever the time passes", arguments: documents.indices)
    func any(_ index: Int) async throws {
        let (name, text) = Self.documents[index]
        let bytes = Array(text.utf8)
        let calls = Atomic<Int>(0)
        let complete = try? Self.normalize(name, bytes) {
            calls.add(1, ordering: .relaxed)
            return false
        }
        let all = calls.load(ordering: .relaxed)
        #expect(all > 10)
        for limit in Set([1, 2, 5, all / 3, all / 2, all - 2, all - 1, all]) where limit > 0 {
            let calls = Atomic<Int>(0)
            let error = #expect(throws: JSONSyntaxError.self) {
                try Self.normalize(name, bytes) { calls.add(1, ordering: .relaxed).newValue >= limit }
            }
            #expect(error?.reason == .expired, "\(limit) of \(all)")
        }
        let again = try? Self.normalize(name, bytes) { false }
        #expect(again?.body == complete?.body)
    }
}
