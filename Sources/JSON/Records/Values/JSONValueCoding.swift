#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import JSONText

extension JSONValue: JSONTree {
    package static func leaf(_ scalar: JSONScalar) -> JSONValue {
        switch scalar {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let text): .number(text)
        case .string(let text): .string(text)
        }
    }

    package static func branch(_ elements: [JSONValue]) -> JSONValue { .array(elements) }

    package static func branch(_ members: [(key: String, value: JSONValue)]) -> JSONValue {
        .object(members.map { Member($0.key, $0.value) })
    }
}

extension JSONValue: Codable {
    /// Decodes a value of any type from any decoder.
    ///
    /// `LenientDecoder` keeps the text of numbers and the order of members. From other decoders a number is read as the
    /// integer, decimal or double that is most exact, and members are sorted by their keys.
    ///
    /// - Throws: `DecodingError`, also for values nested deeper than 512 levels.
    public init(from decoder: any Decoder) throws { self = try Self.tree(from: decoder) }

    /// Encodes the value to any encoder; `CompactEncoder` keeps the text of numbers and the order of members.
    ///
    /// - Throws: `EncodingError` for a `number` whose text is not a JSON number, and for values nested deeper than 512
    ///   levels.
    public func encode(to encoder: any Encoder) throws {
        try checkNumbers(encoder)
        if try encoder.writeText({ write(to: &$0) }) { return }
        if case .array(let elements) = self {
            try encoder.descend(into: self) {
                var container = encoder.unkeyedContainer()
                for element in elements { try container.encode(element) }
            }
            return
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null, .array: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .string(let text): try container.encode(text)
        case .number(let text): try container.encode(number: text, of: self, encoder)
        case .object(let members):
            // No encoder converts the keys of a dictionary.
            let values = members.map { ($0.key, $0.value) }
            try encoder.descend(into: self) { try container.encode(Dictionary(values) { _, last in last }) }
        }
    }

    private func checkNumbers(_ encoder: any Encoder) throws {
        guard encoder is any DocumentEncoder else { return }
        var open = [self]
        while let value = open.popLast() {
            switch value {
            case .number(let text) where !NumberText.isNumber(text): throw encoder.invalid(value, "not a JSON number")
            case .array(let elements): open += elements
            case .object(let members): open += members.map(\.value)
            default: break
            }
        }
    }
}

extension Encoder {
    /// Encodes the elements or members of a container one level deeper.
    package func descend(into value: some Any, _ encode: () throws -> Void) throws {
        let current = TreeLevel.current
        guard let level = current.inside(isObject: false) else {
            // The error names the type only, because the value is too deep to print.
            throw invalid(type(of: value), "nested \(current.depth) levels deep, \(current.reason)")
        }
        try TreeLevel.$current.withValue(level, operation: encode)
    }

    package func invalid(_ value: some Any, _ reason: String) -> EncodingError {
        .invalidValue(
            value, EncodingError.Context(codingPath: codingPath, debugDescription: "The value is \(reason)."))
    }
}

extension SingleValueEncodingContainer {
    /// Encodes the number as the integer, decimal or double that is most exact.
    fileprivate mutating func encode(number text: String, of value: JSONValue, _ encoder: any Encoder) throws {
        guard NumberText.isNumber(text) else { throw encoder.invalid(value, "not a JSON number") }
        if text != "-0", let integer = Int64(text) { return try encode(integer) }
        if let integer = UInt64(text) { return try encode(integer) }
        guard let double = NumberSpelling.double(text) else {
            throw encoder.invalid(value, "beyond the range of doubles")
        }
        let decimal = NumberSpelling.decimal(text)
        if let decimal, Decimal(string: double.description) != decimal { return try encode(decimal) }
        try encode(double)
    }
}
