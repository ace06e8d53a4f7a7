import CScan

/// Strings as RFC 8259 section 7 writes them.
enum StringText {
    typealias Cursor = UnsafePointer<UInt8>

    /// Where the text of a string ends that begins at `first`, at its closing quote, and whether it has escapes.
    @inline(__always)
    static func scan(_ first: Cursor, _ end: Cursor) throws(ParseFault) -> (end: Cursor, isEscaped: Bool) {
        let stop = weir_scan_string(first, end)
        if stop < end, stop.pointee == UInt8(ascii: "\"") { return (stop, false) }
        return try scanRest(stop, end)
    }

    /// Goes on from a byte that is not plain ASCII.
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

    /// Skips the sequences of UTF-8 from `first` to the next byte of ASCII.
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
