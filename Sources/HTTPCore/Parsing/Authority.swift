/// `uri-host [ ":" port ]`, as in Host (RFC 9110 §7.2) and in absolute-form targets, so without user information.
enum Authority {
    /// Whether the bytes of `range` are a name or an IP literal with an optional port; they may be empty.
    static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let hostEnd = hostEnd(bytes, range) else { return false }
        if hostEnd == range.upperBound { return true }
        guard bytes[hostEnd] == ASCII.colon else { return false }
        return isPort(bytes, hostEnd + 1..<range.upperBound)
    }

    /// Whether there is something before the port.
    static func hasHost(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        range.first.map { bytes[$0] != ASCII.colon } ?? false
    }

    /// Where the host ends, or nil when it holds something illegal.
    private static func hostEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        if let first = range.first, bytes[first] == UInt8(ascii: "[") {
            return addressEnd(bytes, first + 1..<range.upperBound)
        }
        let end = bytes.end(of: .registeredName, from: range.lowerBound, to: range.upperBound)
        return end == range.upperBound || bytes[end] == ASCII.colon ? end : nil
    }

    /// The index after the `]` of an IPv6 address that is made of hexadecimal digits, colons and dots.
    private static func addressEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]"), in: range), end > range.lowerBound else { return nil }
        for index in range.lowerBound..<end {
            let byte = bytes[index]
            guard byte == ASCII.colon || byte == UInt8(ascii: ".") || ASCII.hexValue(byte) != nil else { return nil }
        }
        return end + 1
    }

    private static func isPort(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        for index in range where !ASCII.isDigit(bytes[index]) { return false }
        return range.count <= 5
    }
}
