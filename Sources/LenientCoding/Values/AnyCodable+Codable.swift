import FoundationEssentials

extension AnyCodable: JSONTree {
    static func leaf(_ scalar: JSONScalar) throws(AnyCodableError) -> AnyCodable {
        switch scalar {
        case .null: return AnyCodable(storage: .null)
        case .bool(let value): return AnyCodable(storage: .bool(value))
        case .string(let text): return AnyCodable(storage: .string(text))
        case .number(let text):
            guard let number = number(text) else { throw AnyCodableError(number: String(text.prefix(40))) }
            return number
        }
    }

    static func branch(_ elements: [AnyCodable]) -> AnyCodable { AnyCodable(storage: .array(elements)) }

    static func branch(_ members: [(key: String, value: AnyCodable)]) -> AnyCodable {
        AnyCodable(storage: .object(Dictionary(members.lazy.map { ($0.key, $0.value) }) { _, last in last }))
    }

    private static func number(_ text: String) -> AnyCodable? {
        if text != "-0", NumberSpelling.isInteger(text) {
            if let value = Int64(text) { return AnyCodable(storage: .int(value)) }
            if let value = UInt64(text) { return AnyCodable(storage: .uint(value)) }
            if let value = NumberSpelling.decimal(text) { return AnyCodable(storage: .decimal(value)) }
        }
        return NumberSpelling.double(text).map { AnyCodable(storage: .double($0)) }
    }

    /// The value that `json` is; numbers beyond the range of doubles become infinite.
    public init(_ json: JSONValue) {
        switch json {
        case .null: self.init(storage: .null)
        case .bool(let value): self.init(storage: .bool(value))
        case .number(let text): self = Self.number(text) ?? AnyCodable(storage: .double(Double(text) ?? .nan))
        case .string(let text): self.init(storage: .string(text))
        case .array(let elements): self.init(storage: .array(elements.map { AnyCodable($0) }))
        case .object(let members): self = .branch(members.map { (key: $0.key, value: AnyCodable($0.value)) })
        }
    }
}

/// A number that is beyond the range of doubles.
struct AnyCodableError: Error {
    let number: String
}

extension AnyCodable: Codable {
    /// Reads a value of any kind from any decoder.
    ///
    /// Decoders other than `LenientDecoder` do not tell `1.0` from `1`: an integer is what they give for both.
    /// - Throws: `DecodingError` for numbers beyond the range of doubles, and for values nested deeper than 512 levels.
    public init(from decoder: any Decoder) throws {
        do {
            self = try Self.tree(from: decoder)
        } catch let error as AnyCodableError {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "\(error.number) is beyond the range of doubles."))
        }
    }

    /// Writes the value to any encoder, dates and data in the encoder's way.
    ///
    /// - Throws: `EncodingError`, for values nested deeper than 512 levels too.
    public func encode(to encoder: any Encoder) throws {
        if case .array(let elements) = storage {
            try encoder.checkDepth(self)
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
            return
        }
        var container = encoder.singleValueContainer()
        switch storage {
        case .null, .array: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .uint(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .url(let value): try container.encode(value)
        case .uuid(let value): try container.encode(value)
        case .object(let members):
            try encoder.checkDepth(self)
            // As a dictionary: its keys are data, which no encoder converts.
            try container.encode(members)
        }
    }
}
