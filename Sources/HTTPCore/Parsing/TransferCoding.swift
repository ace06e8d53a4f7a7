/// The value of Transfer-Encoding; only `chunked` alone is read (RFC 9112 §6.1 and §7).
enum TransferCoding {
    /// Returns when the field's value is `chunked`, in any letter case.
    ///
    /// - Throws: 501 when other codings stand before a final `chunked`; 400 when the body's end cannot be known
    ///   (`chunked` is not the last coding, or comes twice) or when the value is not a clean list of names.
    static func check(_ bytes: Span<UInt8>, _ field: HeaderFields.Field) throws(RequestFailure) {
        let value = field.value
        guard !hasTab(bytes, field) else { throw mangled(bytes, value) }
        if bytes.extracting(value).matches("chunked") { return }

        var start = value.lowerBound
        var isChunked = false
        while true {
            let comma = bytes.firstIndex(of: ASCII.comma, in: start..<value.upperBound)
            let name = bytes.trimmed(start..<(comma ?? value.upperBound))
            guard !isChunked, bytes.isToken(name) else {
                throw mangled(bytes, value)
            }
            isChunked = bytes.extracting(name).matches("chunked")
            guard let comma else { break }
            start = comma + 1
        }
        guard isChunked else { throw mangled(bytes, value) }
        throw RequestFailure(
            status: .notImplemented,
            detail: "Of the transfer codings in \"\(bytes.excerpt(value))\" only \"chunked\" is implemented.")
    }

    private static func mangled(_ bytes: Span<UInt8>, _ value: Range<Int>) -> RequestFailure {
        .badRequest("The Transfer-Encoding \"\(bytes.excerpt(value))\" does not end in one \"chunked\".")
    }

    /// A tab is legal there, yet proxies differ on it, and that has been used to hide the field from one of them.
    private static func hasTab(_ bytes: Span<UInt8>, _ field: HeaderFields.Field) -> Bool {
        let lineEnd = bytes.firstIndex(of: ASCII.carriageReturn, in: field.value.upperBound..<bytes.count)
        return bytes.firstIndex(of: ASCII.tab, in: field.name.upperBound..<(lineEnd ?? bytes.count)) != nil
    }
}
