import LenientCoding
import Testing

/// Decodes an array of three elements and refuses the second before its decoder is used.
private struct StubbornDecoder: Decoder {
    /// Whether a refused element can be skipped.
    let skips: Bool
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw Refusal() }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { Container(skips: skips) }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Refusal() }
}

private struct Refusal: Error {}

private struct Container: UnkeyedDecodingContainer {
    let skips: Bool
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 3 }
    var currentIndex = 0
    var isAtEnd: Bool { currentIndex == 3 }

    init(skips: Bool) { self.skips = skips }

    mutating func decodeNil() throws -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if currentIndex == 1, !skips || !"\(type)".contains("Skipped") { throw Refusal() }
        let value = try Value(from: Element())
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw Refusal()
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Refusal() }
    mutating func superDecoder() throws -> any Decoder { throw Refusal() }
}

private struct Element: Decoder, SingleValueDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw Refusal() }
    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Refusal() }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { false }
    func decode(_ type: Int.Type) throws -> Int { 7 }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

@Suite("Containers whose cursor stays at a failed element")
struct StuckContainerTests {
    @Test("A failed element is skipped")
    func skipped() throws {
        let decoder = StubbornDecoder(skips: true)
        #expect(try decoder.decodeElements([Int].self, invalidElementStrategy: .remove) == [7, 7])
        #expect(try decoder.decodeElements([Int].self, invalidElementStrategy: .fallback(0)) == [7, 0, 7])
    }

    @Test("The array fails if the element cannot be skipped")
    func unskippable() {
        #expect(throws: DecodingError.self) {
            try StubbornDecoder(skips: false).decodeElements([Int].self, invalidElementStrategy: .remove)
        }
    }
}
