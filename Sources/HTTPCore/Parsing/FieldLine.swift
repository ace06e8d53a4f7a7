/// `field-name ":" OWS field-value OWS`, on one line (RFC 9112 §5).
enum FieldLine {
    /// Where name and value lie in the line in `range`; control characters in the value are not checked here.
    static func parse(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFailure) -> HeaderFields.Field {
        let nameEnd = bytes.end(of: .token, from: range.lowerBound, to: range.upperBound)
        guard nameEnd > range.lowerBound, nameEnd < range.upperBound, bytes[nameEnd] == ASCII.colon else {
            throw failure(bytes, range)
        }
        return HeaderFields.Field(
            name: range.lowerBound..<nameEnd, value: bytes.trimmed(nameEnd + 1..<range.upperBound))
    }

    private static func failure(_ bytes: Span<UInt8>, _ range: Range<Int>) -> RequestFailure {
        if let first = range.first, bytes[first] == ASCII.space || bytes[first] == ASCII.tab {
            return .badRequest("A field line starts with whitespace: folded lines are not read.")
        }
        return .badRequest("The field line \"\(bytes.excerpt(range))\" does not start with a name and a colon.")
    }
}
