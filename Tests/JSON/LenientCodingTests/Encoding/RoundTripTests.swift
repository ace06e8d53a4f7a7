import Foundation
import LenientCoding
import Testing

private struct Everything: Codable, Equatable {
    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case line(Int, to: Int)
    }
    enum Color: String, Codable { case red, green }
    struct Inner: Codable, Equatable { var x = 1, list: [Inner] = [] }

    var text = "a\"\\\n\u{1F600}é/\u{7F}\u{1}", empty = ""
    var integers: [Int] = [0, -1, .min, .max], words: [UInt64] = [.max], bytes: [Int8] = [-128, 127]
    var wide: Int128 = .min, widest: UInt128 = .max
    var doubles: [Double] = [0, -0.5, 0.1, 1e21, 1e-7, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 123_456_789]
    var float: Float = 0.1, flag = true, flags: [Bool] = [false]
    var price = Decimal(string: "12345678901234567890.12"), address = URL(string: "http://a/b?c=d")
    var date = Date(timeIntervalSinceReferenceDate: 12.5), data = Data([0, 1, 255])
    var shapes: [Shape] = [.point, .circle(radius: 1.5), .line(1, to: 2)], color = Color.green
    var names: [String: Int] = ["a_b": 1], numbers: [Int: String] = [1: "a"], pairs: [Double: String] = [1.5: "x"]
    var maybe: Int?, some: Int? = 1, gaps: [Int?] = [1, nil], set: Set<Int> = [7]
    var inner = Inner(list: [Inner(x: 2), Inner(x: 3, list: [Inner()])])
    var none: [Int] = [], nothing: [String: Int] = [:]
}

/// Returns the document with the members sorted by Foundation.
private func normalized(_ bytes: [UInt8]) throws -> String {
    let object = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes]
    return String(decoding: try JSONSerialization.data(withJSONObject: object, options: options), as: UTF8.self)
}

@Suite("Round trips")
struct RoundTripTests {
    @Test("A document is the same as Foundation's and decodes with both decoders")
    func roundTrip() throws {
        let value = Everything()
        let bytes = try CompactEncoder().encode(value)
        #expect(try LenientDecoder.strict.decode(Everything.self, from: bytes) == value)
        #expect(try JSONDecoder().decode(Everything.self, from: Data(bytes)) == value)
        #expect(try LenientDecoder().decode(Everything.self, from: JSONEncoder().encode(value)) == value)
        #expect(try normalized(bytes) == normalized(Array(JSONEncoder().encode(value))))
    }

    @Test("Members are encoded in the declared order")
    func order() throws {
        struct Model: Codable { var zebra = 1, apple = 2, mango: Int?, kiwi = [3] }
        let text = String(decoding: try CompactEncoder().encode(Model()), as: UTF8.self)
        #expect(text == #"{"zebra":1,"apple":2,"kiwi":[3]}"#)
        #expect(try CompactEncoder().encodeToData(Model()) == Data(text.utf8))
    }

    @Test(
        "Keys become snake_case as with Foundation, except those of dictionaries",
        arguments: [
            "imageURL", "URLString", "aB", "myHTTPServer2Go", "_leading", "trailing_", "already_snake", "A", "aÄrger",
        ])
    func snakeCase(key: String) throws {
        struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Model: Encodable {
            let key: String
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                try container.encode([key: [key: 1]], forKey: Key(stringValue: key))
            }
        }
        let foundation = JSONEncoder()
        foundation.keyEncodingStrategy = .convertToSnakeCase
        var encoder = CompactEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let expected = String(decoding: try foundation.encode(Model(key: key)), as: UTF8.self)
        #expect(String(decoding: try encoder.encode(Model(key: key)), as: UTF8.self) == expected)
    }

    @Test("Scalars and null are encoded at the top level")
    func fragments() throws {
        func text(_ value: some Encodable) throws -> String {
            String(decoding: try CompactEncoder().encode(value), as: UTF8.self)
        }
        #expect(try text(1) == "1")
        #expect(try text("a") == #""a""#)
        #expect(try text(Int?.none) == "null")
        #expect(try text([Int]()) == "[]")
        #expect(try text([String: Int]()) == "{}")
        #expect(try text(-0.0) == "-0")
    }
}
