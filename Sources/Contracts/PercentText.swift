/// Text as it stands in the path or the query of an upstream's URL.
enum PercentText {
    /// `text` with `%XX` for every byte of it that is no letter, digit, `-`, `.`, `_`, `~` or `:` (RFC 3986 §2.3, §3.3).
    ///
    /// Nothing in it can then end a segment or a parameter, or stand for a key.
    static func encode(_ text: String) -> String {
        text.utf8.reduce(into: "") { encoded, byte in
            if isPlain(byte) { return encoded.unicodeScalars.append(Unicode.Scalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            encoded += digits.count == 1 ? "%0" + digits : "%" + digits
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"), UInt8(ascii: ":"):
            true
        default: false
        }
    }
}
