/// `chunk-size [ chunk-ext ]`, the line before a chunk's data (RFC 9112 §7.1).
struct ChunkSize {
    /// Digits read at most; a parser that keeps fewer would see another size.
    private static let maximumDigits = 16

    let size: Int
    let extensionBytes: Int

    /// Reads the line in `line`, without its CRLF.
    init(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestFailure) {
        var size: UInt64 = 0
        var index = line.lowerBound
        while index < line.upperBound, let digit = ASCII.hexValue(bytes[index]) {
            size = size << 4 | UInt64(digit)
            index += 1
        }
        let digits = index - line.lowerBound
        guard digits > 0, digits <= Self.maximumDigits, let size = Int(exactly: size) else {
            throw .badRequest("The chunk size \"\(bytes.excerpt(line))\" is not a hexadecimal number.")
        }
        guard Self.areExtensions(bytes, index..<line.upperBound) else {
            throw .badRequest("The chunk size \"\(bytes.excerpt(line))\" is followed by no valid extension.")
        }
        self.size = size
        extensionBytes = line.upperBound - index
    }

    /// `*( ";" name [ "=" ( token / quoted-string ) ] )`; the whitespace that RFC 9112 calls bad is refused.
    private static func areExtensions(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes[index] == ASCII.semicolon else { return false }
            guard let nameEnd = tokenEnd(bytes, index + 1..<range.upperBound) else { return false }
            index = nameEnd
            guard index < range.upperBound, bytes[index] == ASCII.equals else { continue }
            let value = index + 1..<range.upperBound
            guard let valueEnd = tokenEnd(bytes, value) ?? quotedStringEnd(bytes, value) else { return false }
            index = valueEnd
        }
        return true
    }

    /// The end of the token at the start of `range`, or nil when none stands there.
    private static func tokenEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let end = bytes.end(of: .token, from: range.lowerBound, to: range.upperBound)
        return end > range.lowerBound ? end : nil
    }

    /// The end of the quoted string at the start of `range`, or nil when none stands there or it never ends.
    private static func quotedStringEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let first = range.first, bytes[first] == ASCII.quote else { return nil }
        var index = first + 1
        while index < range.upperBound {
            switch bytes[index] {
            case ASCII.quote: return index + 1
            case ASCII.backslash: index += 2
            default: index += 1
            }
        }
        return nil
    }
}
