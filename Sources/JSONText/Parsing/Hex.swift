/// Hexadecimal digits.
enum Hex {
    /// The value of a digit; nil for what is none.
    @inline(__always)
    static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit &- UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit &- UInt8(ascii: "a") &+ 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit &- UInt8(ascii: "A") &+ 10)
        default: nil
        }
    }

    /// The small digit of a value below 16.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
    }

    /// The code unit of the `\uXXXX` at `cursor`; nil where another escape or none stands.
    @inline(__always)
    static func unit(at cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32? {
        guard end - cursor >= 6, cursor[0] == UInt8(ascii: "\\"), cursor[1] == UInt8(ascii: "u") else { return nil }
        var unit: UInt32 = 0
        for index in 2..<6 { unit = unit << 4 | (value(cursor[index]) ?? 0) }
        return unit
    }
}
