extension Decoder {
    /// Reads a string and what it spells.
    ///
    /// - Throws: `DecodingError` when there is no string, or when `parse` gives nil.
    package func decodeText<Value>(expecting expectation: String, _ parse: (String) -> Value?) throws -> Value {
        let container = try singleValueContainer()
        guard let value = parse(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "Expected \(expectation), found another string.")
        }
        return value
    }
}

extension Encoder {
    /// Writes `text`, which is nil where `value` has none.
    package func encodeText(of value: some Any, _ text: String?) throws {
        guard let text else {
            let context = EncodingError.Context(codingPath: codingPath, debugDescription: "The value has no text.")
            throw EncodingError.invalidValue(value, context)
        }
        var container = singleValueContainer()
        try container.encode(text)
    }
}
