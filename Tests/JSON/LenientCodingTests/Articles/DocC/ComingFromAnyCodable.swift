import Foundation
import LenientCoding
import Testing

/// The code of the article ComingFromAnyCodable.
enum ComingFromAnyCodable {
    struct Event: Codable {
        var name: String
        var details: [String: AnyCodable]
    }

    static func attempts(of event: Event) -> Int? {
        event.details["attempts"]?.value as? Int
    }

    static func details(of object: [String: Any]) -> AnyCodable? {
        AnyCodable(exactly: object)
    }

    struct ExactEvent: Codable {
        var name: String
        var details: JSONValue
    }

    static func price(of event: ExactEvent) -> Decimal? {
        event.details["price"]?.decimalValue
    }
}

@Suite("Coming from AnyCodable")
struct ComingFromAnyCodableTests {
    @Test("Values cast and compare as the article says", arguments: Coder.allCases)
    func values(coder: Coder) throws {
        let event = try coder.decode(
            ComingFromAnyCodable.Event.self, #"{"name":"a","details":{"attempts":53,"isOn":true,"none":null}}"#)
        #expect(ComingFromAnyCodable.attempts(of: event) == 53)
        #expect(event.details["attempts"]?.value as? Double == 53)
        #expect(event.details == ["attempts": 53, "isOn": true, "none": nil])
        #expect(AnyCodable(1) != AnyCodable(true) && AnyCodable(1) != AnyCodable(1.0))
        #expect(event.details["none"]?.isNull == true)
    }

    @Test("An object of JSONSerialization is wrapped, another one is refused")
    func objects() throws {
        let object = try JSONSerialization.jsonObject(with: Data(#"{"a":[0,false]}"#.utf8))
        let dictionary = try #require(object as? [String: Any])
        #expect(ComingFromAnyCodable.details(of: dictionary)?.description == #"{"a":[0,false]}"#)
        #expect(ComingFromAnyCodable.details(of: ["a": { 7 }]) == nil)
        #expect(throws: EncodingError.self) { try CompactEncoder().encode(AnyCodable({ 7 })) as [UInt8] }
    }

    @Test("A JSONValue keeps the digits of numbers and the order of members")
    func exact() throws {
        let document = #"{"name":"a","details":{"price":0.10,"id":12345678901234567890,"a":1}}"#
        let event = try LenientDecoder().decode(ComingFromAnyCodable.ExactEvent.self, text: document)
        #expect(ComingFromAnyCodable.price(of: event) == Decimal(string: "0.10"))
        #expect(String(decoding: try CompactEncoder().encode(event) as [UInt8], as: UTF8.self) == document)
    }
}
