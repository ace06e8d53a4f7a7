package import JSONText

/// A decoder that reads a parsed document: it hands over the node that it stands at, so that nothing is probed.
package protocol DocumentDecoder: Decoder {
    /// The node that the decoder stands at.
    ///
    /// - Throws: `DecodingError` once the document is gone.
    func documentNode() throws -> JSONNode
    /// Notes that U+FFFD replaces a lone surrogate in the value.
    ///
    /// - Throws: `DecodingError` if the decoder does not tolerate that.
    func noteLoneSurrogate() throws
    /// What the decoder decides about records.
    var recordRules: DecoderRules { get }
}

/// An encoder that writes JSON text: it takes a value as text that is written for it.
package protocol DocumentEncoder: Encoder {
    /// Lets `body` write exactly one JSON value.
    ///
    /// - Throws: `EncodingError` if a value was already encoded here.
    func writeText(_ body: (inout JSONWriter) -> Void) throws
    /// The encoder's strategies for fields of records; nil for the usual ones.
    var recordStrategies: EncoderStrategies? { get }
}

extension Decoder {
    /// The node that the decoder stands at; nil if the decoder does not read a parsed document.
    package func documentNode() throws -> JSONNode? {
        guard let decoder = self as? any DocumentDecoder else { return nil }
        // The type selects the protocol's function, not this one.
        let node: JSONNode = try decoder.documentNode()
        return node
    }
}

extension Encoder {
    /// Lets `body` write the value as text; returns false if the encoder does not write JSON text.
    package func writeText(_ body: (inout JSONWriter) -> Void) throws -> Bool {
        guard let encoder = self as? any DocumentEncoder else { return false }
        try encoder.writeText(body)
        return true
    }
}

extension Decoder {
    /// Decodes a string and parses it.
    ///
    /// - Throws: `DecodingError` if the value is not a string, or if `parse` returns nil.
    package func decodeText<Value>(
        expecting expectation: @autoclosure () -> String, _ parse: (String) -> Value?
    ) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        if let value = parse(text) { return value }
        let found = quote(.string(text)) ?? "another string"
        throw DecodingError.dataCorruptedError(
            in: container, debugDescription: "Expected \(expectation()), found \(found).")
    }

    /// Returns the first 40 characters of a scalar as JSON if errors may include values; nil otherwise.
    package func quote(_ scalar: JSONValue) -> String? {
        guard userInfo[.quotesValues] as? Bool == true else { return nil }
        let text = scalar.description
        return text.count > 40 ? text.prefix(40) + "…" : text
    }
}

extension Encoder {
    /// Encodes the text of a value; throws `EncodingError` if it is nil.
    package func encodeText(of value: some Any, _ text: String?) throws {
        guard let text else {
            let context = EncodingError.Context(codingPath: codingPath, debugDescription: "The value has no text.")
            throw EncodingError.invalidValue(value, context)
        }
        var container = singleValueContainer()
        try container.encode(text)
    }
}

extension CodingUserInfoKey {
    /// Whether errors of `LenientDecoder`, of strategies and of `@Lossless` include the number, string or Boolean that does
    /// not decode, cut to 40 characters.
    ///
    /// They do not by default, because values may be secret. Errors of other code, such as the standard library's of a raw
    /// value that an enumeration lacks, may include the value anyway.
    ///
    ///     decoder.userInfo[.quotesValues] = true
    ///     // Expected an ISO 8601 date such as 2016-03-28T14:39:13Z, found "tomorrow".
    public static let quotesValues = Self.named("LenientCoding.quotesValues")
}
