public import JSONText

extension DriftReport {
    /// Writes the report as JSON: an array of `{kind, path, reason, count, example}`.
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
        writer.write(byte: UInt8(ascii: "]"))
    }
}
