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
    /// Lets `body` write the value as text, where the encoder is this module's own; false where it is another.
    func writeText(_ body: (inout JSONWriter) -> Void) throws -> Bool {
        guard let encoder = self as? ValueEncoder else { return false }
        try encoder.writeText(body)
        return true
    }
}
