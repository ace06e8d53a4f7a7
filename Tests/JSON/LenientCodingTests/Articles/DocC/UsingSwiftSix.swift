import Foundation
import LenientCoding
import Synchronization
import Testing

/// The code of the article UsingSwiftSix.
enum UsingSwiftSix {
    struct Tweet: Codable, Sendable { var id: Int, createdAt: Date }

    enum Coding {
        static let decoder = LenientDecoder {
            $0.keyDecodingStrategy = .convertFromSnakeCase
            $0.dateDecodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
        }
        static let encoder = CompactEncoder { $0.keyEncodingStrategy = .convertToSnakeCase }
    }

    static func read(_ pages: [Data]) async throws -> [Tweet] {
        try await withThrowingTaskGroup(of: [Tweet].self) { group in
            for page in pages {
                group.addTask { try Coding.decoder.decode([Tweet].self, from: page) }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    final class Names: Sendable {
        static let key = CodingUserInfoKey(rawValue: "names")
        private let names = Mutex<Set<String>>([])

        func insert(_ name: String) { _ = names.withLock { $0.insert(name) } }
        var sorted: [String] { names.withLock { $0.sorted() } }
    }

    struct Name: Decodable {
        init(from decoder: any Decoder) throws {
            let names = Names.key.flatMap { decoder.userInfo[$0] } as? Names
            names?.insert(try decoder.singleValueContainer().decode(String.self))
        }
    }

    static func names(in data: Data) throws -> [String] {
        let names = Names()
        let decoder = LenientDecoder { decoder in
            if let key = Names.key { decoder.userInfo[key] = names }
        }
        _ = try decoder.decode([Name].self, from: data)
        return names.sorted
    }

    struct Price: DecodableWithConfiguration {
        var text: String
        init(from decoder: any Decoder, configuration currency: String) throws {
            text = "\(try Double(from: decoder)) \(currency)"
        }
    }

    static func price(in data: Data) throws -> Price {
        try LenientDecoder().decode(Price.self, from: data, configuration: "EUR")
    }
}

@Suite("Using Swift 6")
struct UsingSwiftSixTests {
    @Test("A constant decoder serves several tasks")
    func tasks() async throws {
        let page = Data(#"[{"id":7,"created_at":"Mon Mar 28 14:39:13 +0000 2016"}]"#.utf8)
        let tweets = try await UsingSwiftSix.read([page, page])
        #expect(tweets.map(\.id) == [7, 7])
        let bytes: [UInt8] = try UsingSwiftSix.Coding.encoder.encode(tweets)
        #expect(String(decoding: bytes, as: UTF8.self).contains("created_at"))
    }

    @Test("Decoded types reach a Sendable object of the user info, and a configuration")
    func context() throws {
        #expect(try UsingSwiftSix.names(in: Data(#"["b","a","b"]"#.utf8)) == ["a", "b"])
        #expect(try UsingSwiftSix.price(in: Data("1.5".utf8)).text == "1.5 EUR")
    }
}
