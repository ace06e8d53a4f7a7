/// The bytes that HTTP's grammar is made of.
enum ASCII {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var numberSign: UInt8 { 0x23 }
    static var percent: UInt8 { 0x25 }
    static var ampersand: UInt8 { 0x26 }
    static var plus: UInt8 { 0x2B }
    static var comma: UInt8 { 0x2C }
    static var slash: UInt8 { 0x2F }
    static var zero: UInt8 { 0x30 }
    static var colon: UInt8 { 0x3A }
    static var semicolon: UInt8 { 0x3B }
    static var equals: UInt8 { 0x3D }
    static var questionMark: UInt8 { 0x3F }
    static var backslash: UInt8 { 0x5C }

    static func isDigit(_ byte: UInt8) -> Bool { zero...zero + 9 ~= byte }

    /// Whether `byte` is visible ASCII, 0x21...0x7E.
    static func isVisible(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte }

    /// Whether `byte` is `tchar` of RFC 9110 §5.6.2, a character of a token.
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~":
            true
        default: false
        }
    }

    /// Whether `byte` is `unreserved` of RFC 3986 §2.3.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true
        default: false
        }
    }

    /// Whether `byte` is `sub-delims` of RFC 3986 §2.2.
    static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": true
        default: false
        }
    }

    /// The value of a hexadecimal digit in either case, or nil.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - zero }
        let letter = lowercased(byte)
        return UInt8(ascii: "a")...UInt8(ascii: "f") ~= letter ? letter - UInt8(ascii: "a") + 10 : nil
    }

    /// `byte` as two upper-case hexadecimal digits.
    static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// The lower-case form of an ASCII letter; any other byte unchanged.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
