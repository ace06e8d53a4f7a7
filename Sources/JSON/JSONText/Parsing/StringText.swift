import CScan

/// The text of a JSON string (RFC 8259, section 7), checked from its first byte to its closing quote.
///
/// Unsafe: moves a cursor of `Grammar` along the document, and compares it with `end` before each read.
enum StringText {
    typealias Cursor = UnsafePointer<UInt8>

    /// Returns the closing quote of the string whose text begins at `first`, and whether it has escapes.
    @inline(__always)
    static func scan(_ first: Cursor, _ end: Cursor) throws(ParseFault) -> (end: Cursor, isEscaped: Bool) {
        let stop = weir_scan_string(first, end)
        if stop < end, stop.pointee == UInt8(ascii: "\"") { return (stop, false) }
        return try scanRest(stop, end)
    }

    /// Goes on from a byte that is not plain ASCII text.
    @inline(never)
    private static func scanRest(_ stop: Cursor, _ end: Cursor) throws(ParseFault) -> (end: Cursor, isEscaped: Bool) {
        var cursor = stop
        var isEscaped = false
        while cursor < end {
            let byte = cursor.pointee
            if byte >= 0x80 {
                cursor = try skipSequences(cursor, end)
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                cursor = try escape(cursor, end)
            } else if byte == UInt8(ascii: "\"") {
                return (cursor, isEscaped)
            } else if byte < 0x20 {
                throw ParseFault(.controlCharacter, at: cursor)
            } else {
                cursor = weir_scan_string(cursor, end)
            }
        }
        throw ParseFault(.unexpectedEnd, at: end)
    }

    /// Skips the sequences of UTF-8 from `first` to the next ASCII byte.
    @inline(__always)
    private static func skipSequences(_ first: Cursor, _ end: Cursor) throws(ParseFault) -> Cursor {
        var cursor = first
        repeat {
            let next = weir_skip_three_byte_sequences(cursor, end)
            if next > cursor {
                cursor = next
                continue
            }
            let length = UTF8Sequence.length(at: cursor, end)
            guard length > 0 else { throw ParseFault(.invalidUTF8, at: cursor) }
            cursor += length
        } while cursor < end && cursor.pointee >= 0x80
        return cursor
    }

    @inline(__always)
    private static func escape(_ backslash: Cursor, _ end: Cursor) throws(ParseFault) -> Cursor {
        guard backslash + 1 < end else { throw ParseFault(.unexpectedEnd, at: end) }
        switch backslash[1] {
        case UInt8(ascii: "u"):
            for index in 2..<6 {
                guard backslash + index < end else { throw ParseFault(.unexpectedEnd, at: end) }
                if Hex.value(backslash[index]) == nil { throw ParseFault(.escape, at: backslash) }
            }
            return backslash + 6
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        default: throw ParseFault(.escape, at: backslash)
        }
    }
}

/// UTF-8 (RFC 3629, section 4): no overlong form, no surrogate, nothing above U+10FFFF.
enum UTF8Sequence {
    /// Returns the length of the sequence at `cursor`, whose byte is 0x80 or above, or 0 if it is ill-formed.
    @inline(__always)
    static func length(at cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
        let (length, isWhole) = subpart(at: cursor, end)
        return isWhole ? length : 0
    }

    /// Returns the length of the longest part of a sequence at `cursor`, 1 to 4, and whether it is whole.
    ///
    /// One U+FFFD replaces a part that is not whole (Unicode 16.0, section 3.9).
    @inline(__always)
    static func subpart(at cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> (length: Int, isWhole: Bool) {
        let second: ClosedRange<UInt8>
        let whole: Int
        switch cursor.pointee {
        case 0xC2...0xDF: (second, whole) = (0x80...0xBF, 2)
        case 0xE0: (second, whole) = (0xA0...0xBF, 3)
        case 0xED: (second, whole) = (0x80...0x9F, 3)
        case 0xE1...0xEF: (second, whole) = (0x80...0xBF, 3)
        case 0xF0: (second, whole) = (0x90...0xBF, 4)
        case 0xF1...0xF3: (second, whole) = (0x80...0xBF, 4)
        case 0xF4: (second, whole) = (0x80...0x8F, 4)
        default: return (1, false)
        }
        guard cursor + 1 < end, second.contains(cursor[1]) else { return (1, false) }
        var length = 2
        while length < whole, cursor + length < end, 0x80...0xBF ~= cursor[length] { length += 1 }
        return (length, length == whole)
    }

    /// Returns the character of the two surrogates at `cursor`, each in three bytes, as CESU-8 has it (Unicode Technical
    /// Report 26); nil if there is none.
    static func surrogatePair(at cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Unicode.Scalar? {
        guard end - cursor >= 6, cursor[0] == 0xED, 0xA0...0xAF ~= cursor[1], 0x80...0xBF ~= cursor[2],
            cursor[3] == 0xED, 0xB0...0xBF ~= cursor[4], 0x80...0xBF ~= cursor[5]
        else { return nil }
        func bits(_ index: Int) -> UInt32 { UInt32(cursor[index] & 0x0F) << 6 | UInt32(cursor[index + 1] & 0x3F) }
        return Unicode.Scalar(0x10000 + bits(1) << 10 + bits(4))
    }
}
