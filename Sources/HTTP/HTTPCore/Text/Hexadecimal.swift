/// Numbers as hexadecimal digits in lower case.
package enum Hexadecimal {
    /// Returns the eight digits of `number`, the first one in the lowest byte: all at once take a tenth of the instructions.
    @inlinable
    package static func digits(_ number: UInt32) -> UInt64 {
        var digits = UInt64(number.byteSwapped)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits >> 4 | digits << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte that is a letter; `a` is 39 behind the character that follows 9.
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }
}

extension [UInt8] {
    /// Appends `number` in 32 digits.
    mutating func append(hexadecimal number: UInt128) {
        append(addingCapacity: 32) { target in
            for shift in stride(from: 96, through: 0, by: -32) {
                let digits = Hexadecimal.digits(UInt32(truncatingIfNeeded: number >> shift))
                for place in stride(from: 0, to: 64, by: 8) {
                    target.append(UInt8(truncatingIfNeeded: digits >> place))
                }
            }
        }
    }
}
