import JSONText

extension Decoder {
    /// The value on the tape, where the decoder is this module's own: it says what kind it is without being probed.
    func documentNode() throws -> JSONNode? {
        guard let decoder = self as? ValueDecoder else { return nil }
        try decoder.session.checkLiveness()
        return decoder.session.node(decoder.position)
    }
}

extension Encoder {
    /// Writes `value` as the text it has, where the encoder is this module's own; false where it is another.
    func writeText(of value: JSONValue) throws -> Bool {
        guard let encoder = self as? ValueEncoder else { return false }
        try encoder.writeScalar { value.write(to: &$0) }
        return true
    }
}
