/// `uri-host [ ":" port ]`, as in Host (RFC 9110 §7.2) and in absolute-form targets; user information is not allowed.
enum Authority {
    /// Whether the bytes of `range` are a name or an IP literal with an optional port; they may be empty.
    static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let hostEnd = hostEnd(bytes, range) else { return false }
        if hostEnd == range.upperBound { return true }
        let port = hostEnd + 1..<range.upperBound
        return bytes[hostEnd] == ASCII.colon && port.count <= 5
            && bytes.end(of: ASCII.isDigit, in: port) == port.upperBound
    }

    /// The end of the host, or nil if an IP literal is malformed.
    private static func hostEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let first = range.first, bytes[first] == UInt8(ascii: "[") else {
            return bytes.end(of: isRegisteredNameCharacter, in: range)
        }
        // An IPv6 address is checked for its characters only.
        let end = bytes.end(
            of: { $0 == ASCII.colon || $0 == UInt8(ascii: ".") || ASCII.hexValue($0) != nil },
            in: first + 1..<range.upperBound)
        guard end > first + 1, end < range.upperBound, bytes[end] == UInt8(ascii: "]") else { return nil }
        return end + 1
    }

    /// `reg-name` of RFC 3986 §3.2.2 without the comma, which could join two Host values.
    private static func isRegisteredNameCharacter(_ byte: UInt8) -> Bool {
        ASCII.isUnreserved(byte) || byte == ASCII.percent || ASCII.isSubDelimiter(byte) && byte != ASCII.comma
    }
}
