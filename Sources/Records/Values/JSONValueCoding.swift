import FoundationEssentials

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
    /// Reads a value of any kind from any decoder.
    ///
    /// `LenientDecoder` gives the exact text of numbers and the order of members. Other decoders tell neither: numbers
    /// come as the integer, decimal or double that keeps most of them, members ordered by their keys.
    /// - Throws: `DecodingError`, for values nested deeper than 512 levels too.
    public init(from decoder: any Decoder) throws { self = try Self.tree(from: decoder) }

    /// Writes the value to any encoder; `CompactEncoder` keeps the text of numbers and the order of members.
    ///
    /// - Throws: `EncodingError` for a `number` whose text is none, and for values nested deeper than 512 levels.
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
            // As a dictionary: its keys are data, which no encoder converts.
            let values = members.map { ($0.key, $0.value) }
            try encoder.descend(into: self) { try container.encode(Dictionary(values) { _, last in last }) }
        }
    }

    private func checkNumbers(_ encoder: any Encoder) throws {
        guard encoder is any DocumentEncoder else { return }
        var open = [self]
        while let value = open.popLast() {
            switch value {
            case .number(let text) where !NumberText.isNumber(text): throw encoder.invalid(value, "no JSON number")
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
            // The value itself is too deep to be printed with the error.
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
    /// Writes the number that `text` spells as the type that keeps all of it, or most.
    fileprivate mutating func encode(number text: String, of value: JSONValue, _ encoder: any Encoder) throws {
        guard NumberText.isNumber(text) else { throw encoder.invalid(value, "no JSON number") }
        if text != "-0", let integer = Int64(text) { return try encode(integer) }
        if let integer = UInt64(text) { return try encode(integer) }
        guard let double = NumberSpelling.double(text) else { throw encoder.invalid(value, "beyond all doubles") }
        let decimal = NumberSpelling.decimal(text)
        if let decimal, Decimal(string: double.description) != decimal { return try encode(decimal) }
        try encode(double)
    }
}
