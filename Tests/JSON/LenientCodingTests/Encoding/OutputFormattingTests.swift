import Foundation
import LenientCoding
import Testing

/// A model with every kind of value, and with keys whose order is not that of their bytes.
private struct Sample: Encodable {
    var zone = "Europe/Oslo", values = [1, 2], empty: [Int] = [], none: [String: Int] = [:]
    var words = [
        "ä": "\"quoted\" \\/ \u{1}\n", "a": "1", "B": "2", "a10": "3", "a9": "4", "é/é": "😀", "z": "5", "Z": "6",
    ]
    var nested = [["x/y": [[1.5], []]], [:]]
}

@Suite("Output formatting")
struct OutputFormattingTests {
    private static let formats: [(CompactEncoder.OutputFormatting, JSONEncoder.OutputFormatting)] = [
        ([.sortedKeys], [.sortedKeys]),
        ([.sortedKeys, .withoutEscapingSlashes], [.sortedKeys, .withoutEscapingSlashes]),
        ([.sortedKeys, .prettyPrinted], [.sortedKeys, .prettyPrinted]),
        (
            [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes],
            [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        ),
    ]

    @Test("A format gives the bytes that Foundation gives", arguments: formats.indices)
    func formatsAsFoundation(index: Int) throws {
        var encoder = CompactEncoder()
        let foundation = JSONEncoder()
        (encoder.outputFormatting, foundation.outputFormatting) = Self.formats[index]
        let expected = String(decoding: try foundation.encode(Sample()), as: UTF8.self)
        #expect(String(decoding: try encoder.encode(Sample()), as: UTF8.self) == expected)
    }

    @Test("Members stay in the order of the model without sortedKeys")
    func keepsOrder() throws {
        struct Model: Encodable { var b = "x/y", a = 1 }
        var encoder = CompactEncoder()
        #expect(String(decoding: try encoder.encode(Model()), as: UTF8.self) == #"{"b":"x/y","a":1}"#)
        encoder.outputFormatting = []
        #expect(String(decoding: try encoder.encode(Model()), as: UTF8.self) == #"{"b":"x\/y","a":1}"#)
        encoder.outputFormatting = .prettyPrinted
        let pretty = "{\n  \"b\" : \"x\\/y\",\n  \"a\" : 1\n}"
        #expect(String(decoding: try encoder.encode(Model()), as: UTF8.self) == pretty)
    }

    @Test("A scalar is formatted too")
    func formatsScalars() throws {
        var encoder = CompactEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        #expect(String(decoding: try encoder.encode("a/b"), as: UTF8.self) == #""a\/b""#)
        #expect(String(decoding: try encoder.encode([Int]()), as: UTF8.self) == "[\n\n]")
    }

    @Test("encode returns bytes, or Data where the context asks for it")
    func encodesToData() throws {
        let bytes = try CompactEncoder().encode([1])
        let data: Data = try CompactEncoder().encode([1])
        #expect(bytes == Array("[1]".utf8))
        #expect(data == Data("[1]".utf8))
    }

    @Test("Objects with many new keys keep the last value of a duplicate key")
    func findsDuplicatesAmongManyKeys() throws {
        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        struct Model: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                for index in 0..<1000 { try container.encode(index, forKey: Key(stringValue: "key\(index % 900)")) }
            }
        }
        let values = try JSONDecoder().decode([String: Int].self, from: CompactEncoder().encode(Model()))
        #expect(values.count == 900)
        #expect(values["key0"] == 900 && values["key99"] == 999 && values["key100"] == 100)
    }
}
