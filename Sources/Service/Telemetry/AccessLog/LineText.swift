import HTTPCore
import JSONText

extension JSONWriter {
    /// Writes a point and `number`, which is below `scale`, a power of ten, with as many digits as `scale` has zeros.
    mutating func write(fraction number: UInt64, of scale: UInt64) {
        let start = count
        write(scale + number)
        overwrite(at: start, with: UInt8(ascii: "."))
    }

    /// Writes 16 hexadecimal digits in lower case.
    mutating func write(hexadecimal number: UInt64) {
        write(atMost: 16) { room in
            room.write(bytes: Hexadecimal.digits(UInt32(truncatingIfNeeded: number >> 32)))
            room.write(bytes: Hexadecimal.digits(UInt32(truncatingIfNeeded: number)))
        }
    }

    private mutating func write(hexadecimalDigit number: UInt64) {
        let digit = UInt8(number & 15)
        write(byte: digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }

    /// Writes an address without its port: `192.0.2.1`, `2001:db8::1` (RFC 5952) or `unix`.
    mutating func write(address: ClientAddress) {
        switch address {
        case .v4(let number, _): write(dotted: number)
        case .v6(let number, _): write(groups: number)
        case .unix: write(raw: "unix")
        }
    }

    private mutating func write(dotted number: UInt32) {
        for shift in stride(from: 24, through: 0, by: -8) {
            write(UInt64(number >> UInt32(shift) & 0xFF))
            if shift > 0 { write(raw: ".") }
        }
    }

    private mutating func write(groups number: UInt128) {
        if number >> 32 == 0xFFFF {
            write(raw: "::ffff:")
            return write(dotted: UInt32(truncatingIfNeeded: number))
        }
        let zeros = Self.longestRunOfZeros(in: number)
        var index = 0
        while index < 8 {
            if index == zeros.lowerBound, !zeros.isEmpty {
                write(raw: "::")
                index = zeros.upperBound
                continue
            }
            if index > 0, index != zeros.upperBound || zeros.isEmpty { write(raw: ":") }
            write(group: Self.group(index, of: number))
            index += 1
        }
    }

    private mutating func write(group: UInt64) {
        var shift: UInt64 = 12
        while shift > 0, group >> shift == 0 { shift -= 4 }
        while true {
            write(hexadecimalDigit: group >> shift)
            if shift == 0 { return }
            shift -= 4
        }
    }

    private static func group(_ index: Int, of number: UInt128) -> UInt64 {
        UInt64(truncatingIfNeeded: number >> UInt128(112 - 16 * index)) & 0xFFFF
    }

    /// The first of the longest runs of at least two groups that are 0; empty without one (RFC 5952 §4.2).
    private static func longestRunOfZeros(in number: UInt128) -> Range<Int> {
        var (longest, start) = (0..<0, 0)
        for index in 0..<8 {
            if group(index, of: number) != 0 {
                start = index + 1
            } else if index + 1 - start > max(1, longest.count) {
                longest = start..<index + 1
            }
        }
        return longest
    }
}
