/// Any JSON value, decoded through `Decodable` only, so that every decoder can read it.
///
/// It makes a constant number of attempts for each value, containers first, so that nested values are read once.
enum AnyJSON: Decodable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case natural(UInt64)
    case double(Double)
    /// UTF-8, because strings with different bytes can be equal.
    case string([UInt8])
    case array([AnyJSON])
    /// Sorted by the bytes of the keys.
    case object([Member])

    struct Member: Equatable {
        let key: [UInt8]
        let value: AnyJSON
    }

    init(from decoder: any Decoder) throws {
        if var elements = try? decoder.unkeyedContainer() {
            self = .array(try Self.elements(&elements))
        } else if let members = try? decoder.container(keyedBy: Key.self) {
            self = .object(try Self.members(members))
        } else {
            self = try Self.scalar(decoder.singleValueContainer())
        }
    }

    private static func elements(_ container: inout any UnkeyedDecodingContainer) throws -> [AnyJSON] {
        var elements: [AnyJSON] = []
        while !container.isAtEnd { elements.append(try container.decode(AnyJSON.self)) }
        return elements
    }

    private static func members(_ container: KeyedDecodingContainer<Key>) throws -> [Member] {
        try container.allKeys.map {
            Member(key: Array($0.stringValue.utf8), value: try container.decode(AnyJSON.self, forKey: $0))
        }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> AnyJSON {
        if container.decodeNil() { return .null }
        if let string = try? container.decode(String.self) { return .string(Array(string.utf8)) }
        if let integer = try? container.decode(Int64.self) { return .integer(integer) }
        if let natural = try? container.decode(UInt64.self) { return .natural(natural) }
        if let double = try? container.decode(Double.self) { return .double(double) }
        return .bool(try container.decode(Bool.self))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
