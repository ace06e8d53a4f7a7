/// The inside of a JSON string that has escapes, which the parser has checked.
enum EscapedText {
    /// How much room beyond the text's own length `resolve` needs: it copies eight bytes at a time.
    static let slack = 8

    /// Writes the text from `first` to `end` with its escapes resolved; a lone surrogate becomes U+FFFD.
    ///
    /// Returns where what was written ends.
    static func resolve(
        _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, into start: UnsafeMutablePointer<UInt8>
    ) -> UnsafeMutablePointer<UInt8> {
        var cursor = first
        var output = start
        while cursor < end {
            if end - cursor >= 8 {
                let word = UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self)
                UnsafeMutableRawPointer(output).storeBytes(of: word, as: UInt64.self)
                let plain = bytesBeforeBackslash(in: UInt64(littleEndian: word))
                cursor += plain
                output += plain
                if plain == 8 { continue }
            } else if cursor.pointee != UInt8(ascii: "\\") {
                output.pointee = cursor.pointee
                cursor += 1
                output += 1
                continue
            }
            if cursor[1] == UInt8(ascii: "u") {
                cursor = resolveUnicode(cursor, end, into: &output)
            } else {
                output.pointee = character(escaped: cursor[1])
                cursor += 2
                output += 1
            }
        }
        return output
    }

    /// How many of the word's bytes, the lowest first, come before a backslash; 8 where there is none.
    @inline(__always)
    private static func bytesBeforeBackslash(in word: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        // The lowest byte found to be zero is right; what is above it may not be.
        return ((difference &- ones) & ~difference & (ones &<< 7)).trailingZeroBitCount / 8
    }

    @inline(__always)
    private static func character(escaped byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: byte
        }
    }

    /// Writes what the `\uXXXX` at `cursor` stands for, a pair of surrogates as one.
    ///
    /// Returns the cursor behind what was read.
    private static func resolveUnicode(
        _ cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, into output: inout UnsafeMutablePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        var scalar = Hex.unit(at: cursor, end) ?? 0xFFFD
        var next = cursor + 6
        if 0xD800..<0xDC00 ~= scalar, let second = Hex.unit(at: next, end), 0xDC00..<0xE000 ~= second {
            scalar = 0x10000 + (scalar - 0xD800) << 10 + (second - 0xDC00)
            next += 6
        } else if 0xD800..<0xE000 ~= scalar {
            scalar = 0xFFFD
        }
        write(scalar, to: &output)
        return next
    }

    private static func write(_ scalar: UInt32, to output: inout UnsafeMutablePointer<UInt8>) {
        func append(_ lead: UInt32, _ bits: UInt32) {
            output.pointee = UInt8(truncatingIfNeeded: lead | bits)
            output += 1
        }
        switch scalar {
        case ..<0x80: append(0, scalar)
        case ..<0x800: append(0xC0, scalar >> 6)
        case ..<0x10000:
            append(0xE0, scalar >> 12)
            append(0x80, scalar >> 6 & 0x3F)
        default:
            append(0xF0, scalar >> 18)
            append(0x80, scalar >> 12 & 0x3F)
            append(0x80, scalar >> 6 & 0x3F)
        }
        if scalar >= 0x80 { append(0x80, scalar & 0x3F) }
    }
}
