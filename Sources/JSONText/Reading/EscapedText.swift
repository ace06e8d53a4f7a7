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

    /// Writes the scalar of the `\uXXXX` at `cursor`, joined with a second one where they are a surrogate pair.
    ///
    /// Returns the cursor behind what was read.
    private static func resolveUnicode(
        _ cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, into output: inout UnsafeMutablePointer<UInt8>
    ) -> UnsafePointer<UInt8> {
        let first = unit(at: cursor)
        if 0xD800..<0xDC00 ~= first, end - cursor >= 12, cursor[6] == UInt8(ascii: "\\"),
            cursor[7] == UInt8(ascii: "u"),
            case let second = unit(at: cursor + 6), 0xDC00..<0xE000 ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        {
            write(scalar, to: &output)
            return cursor + 12
        }
        write(Unicode.Scalar(first) ?? "\u{FFFD}", to: &output)
        return cursor + 6
    }

    private static func unit(at cursor: UnsafePointer<UInt8>) -> UInt32 {
        (2..<6).reduce(0) { $0 << 4 | (Hex.value(cursor[$1]) ?? 0) }
    }

    private static func write(_ scalar: Unicode.Scalar, to output: inout UnsafeMutablePointer<UInt8>) {
        for byte in UTF8.encode(scalar).unsafelyUnwrapped {
            output.pointee = byte
            output += 1
        }
    }
}
