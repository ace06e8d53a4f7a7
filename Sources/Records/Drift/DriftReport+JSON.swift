public import JSONText

extension DriftReport: Encodable {
    private enum CodingKeys: String, CodingKey { case kind, path, reason, count, example }

    /// Encodes an array of `{kind, path, reason, count, example}`.
    ///
    /// Repairs past the bound are the last element's, `{"kind":"unlisted","count":12}`.
    public func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for entry in entries {
            var members = list.nestedContainer(keyedBy: CodingKeys.self)
            try members.encode(entry.kind.rawValue, forKey: .kind)
            try members.encode(entry.path, forKey: .path)
            try members.encode(entry.reason.rawValue, forKey: .reason)
            try members.encode(entry.count, forKey: .count)
            try members.encode(entry.example, forKey: .example)
        }
        if unlisted > 0 {
            var members = list.nestedContainer(keyedBy: CodingKeys.self)
            try members.encode("unlisted", forKey: .kind)
            try members.encode(unlisted, forKey: .count)
        }
    }

    /// Writes the report as JSON, in the form in which it is encoded.
    ///
    ///     drift.write(to: &writer)
    ///     // [{"kind":"dropped","path":"tags[]","reason":"mistyped","count":2,"example":"tags[3]"}]
    public func write(to writer: inout JSONWriter) {
        writer.write(byte: UInt8(ascii: "["))
        for (index, entry) in entries.enumerated() {
            writer.write(raw: index == 0 ? "{\"kind\":" : ",{\"kind\":")
            writer.write(entry.kind.rawValue)
            writer.write(raw: ",\"path\":")
            writer.write(entry.path)
            writer.write(raw: ",\"reason\":")
            writer.write(entry.reason.rawValue)
            writer.write(raw: ",\"count\":")
            writer.write(Int64(entry.count))
            writer.write(raw: ",\"example\":")
            writer.write(entry.example)
            writer.write(byte: UInt8(ascii: "}"))
        }
        if unlisted > 0 {
            writer.write(raw: ",{\"kind\":\"unlisted\",\"count\":")
            writer.write(Int64(unlisted))
            writer.write(byte: UInt8(ascii: "}"))
        }
        writer.write(byte: UInt8(ascii: "]"))
    }
}
