/// The bytes HTTP's grammar is made of.
enum ASCII {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var numberSign: UInt8 { 0x23 }
    static var percent: UInt8 { 0x25 }
    static var ampersand: UInt8 { 0x26 }
    static var asterisk: UInt8 { 0x2A }
    static var plus: UInt8 { 0x2B }
    static var comma: UInt8 { 0x2C }
    static var slash: UInt8 { 0x2F }
    static var zero: UInt8 { 0x30 }
    static var colon: UInt8 { 0x3A }
    static var semicolon: UInt8 { 0x3B }
    static var equals: UInt8 { 0x3D }
    static var questionMark: UInt8 { 0x3F }
    static var backslash: UInt8 { 0x5C }

    /// Whether `byte` is `0`...`9`.
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- zero < 10
    }

    /// Whether `byte` is visible ASCII, 0x21...0x7E.
    static func isVisible(_ byte: UInt8) -> Bool {
        byte &- 0x21 < 0x5E
    }

    /// The value of a hexadecimal digit in either case, or nil.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte &- zero }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// The lower-case form of an ASCII letter; every other byte as it is.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
}

/// A set of ASCII bytes as 128 bits, so that a test is a shift and no memory is read.
struct ASCIISet {
    let low: UInt64
    let high: UInt64

    /// Whether the set holds `byte`; never true from 0x80 on.
    func contains(_ byte: UInt8) -> Bool {
        guard byte < 0x80 else { return false }
        return ((byte < 64 ? low : high) >> UInt64(byte & 63)) & 1 == 1
    }

    /// `tchar`: letters, digits and ``!#$%&'*+-.^_`|~`` (RFC 9110 §5.6.2).
    static var token: ASCIISet { ASCIISet(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }

    /// `reg-name` of RFC 3986 §3.2.2 without the comma, by which two Host values would be joined.
    static var registeredName: ASCIISet { ASCIISet(low: 0x2BFF_6FF2_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }

    /// `unreserved` of RFC 3986 §2.3 (letters, digits and `-._~`) and the colon.
    static var queryComponent: ASCIISet { ASCIISet(low: 0x07FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }

    /// What a path segment may hold unescaped: `pchar` of RFC 3986 §3.3 without the percent sign.
    static var pathSegment: ASCIISet { ASCIISet(low: 0x2FFF_7FD2_0000_0000, high: 0x47FF_FFFE_87FF_FFFF) }
}
