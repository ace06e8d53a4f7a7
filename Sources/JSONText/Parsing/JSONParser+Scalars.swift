import CSystem

extension JSONParser {
    /// Consumes a string from its opening quote.
    ///
    /// The tape gets the slice between the quotes.
    @inline(__always)
    mutating func string(_ opening: Cursor, _ end: Cursor) throws(JSONSyntaxError) -> Cursor {
        let first = opening + 1
        var cursor = first
        var kind = JSONNode.Kind.string
        while true {
            // The scan never returns nil; the coalescing only satisfies the imported type.
            cursor = weir_scan_string(cursor, end) ?? end
            guard cursor < end else { throw failure(.unexpectedEnd, at: end) }
            let byte = cursor.pointee
            if byte == UInt8(ascii: "\"") { break }
            if byte == UInt8(ascii: "\\") {
                kind = .escapedString
                cursor = try escape(cursor, end)
            } else if byte < 0x20 {
                throw failure(.controlCharacter(byte), at: cursor)
            } else {
                let length = UTF8Sequence.length(at: cursor, end)
                guard length > 0 else { throw failure(.invalidUTF8, at: cursor) }
                cursor += length
            }
        }
        tape.append(Tape.word(kind, length: cursor - first, offset: offset(of: first)))
        return cursor + 1
    }

    private func escape(_ backslash: Cursor, _ end: Cursor) throws(JSONSyntaxError) -> Cursor {
        guard backslash + 1 < end else { throw failure(.unexpectedEnd, at: end) }
        switch backslash[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return backslash + 2
        case UInt8(ascii: "u"):
            for index in 2..<6 {
                guard backslash + index < end else { throw failure(.unexpectedEnd, at: end) }
                if Hex.value(backslash[index]) == nil { throw failure(.invalidEscape, at: backslash) }
            }
            return backslash + 6
        default: throw failure(.invalidEscape, at: backslash)
        }
    }

    /// Consumes a number.
    ///
    /// The tape gets its text, unread: an id of 19 digits and a price of 0.10 leave as they came.
    @inline(__always)
    mutating func number(_ first: Cursor, _ end: Cursor) throws(JSONSyntaxError) -> Cursor {
        guard let scan = NumberText.scan(first, end) else { throw failure(.invalidNumber, at: first) }
        let length = scan.end - first
        if length > options.maximumNumberBytes {
            throw failure(.numberTooLong(limit: options.maximumNumberBytes), at: first)
        }
        tape.append(Tape.word(scan.isInteger ? .integer : .number, length: length, offset: offset(of: first)))
        return scan.end
    }
}

/// Hexadecimal digits.
enum Hex {
    @inline(__always)
    static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

/// UTF-8 as RFC 3629 section 4 spells it: no overlong form, no surrogate, nothing above U+10FFFF.
enum UTF8Sequence {
    /// The length of the sequence that starts at `cursor`, whose byte is 0x80 or above; 0 when it is not valid.
    @inline(__always)
    static func length(at cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
        let left = end - cursor
        @inline(__always) func continues(_ index: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            range.contains(cursor[index])
        }
        switch cursor.pointee {
        case 0xC2...0xDF: return left >= 2 && continues(1) ? 2 : 0
        case 0xE0: return left >= 3 && continues(1, 0xA0...0xBF) && continues(2) ? 3 : 0
        case 0xED: return left >= 3 && continues(1, 0x80...0x9F) && continues(2) ? 3 : 0
        case 0xE1...0xEF: return left >= 3 && continues(1) && continues(2) ? 3 : 0
        case 0xF0: return left >= 4 && continues(1, 0x90...0xBF) && continues(2) && continues(3) ? 4 : 0
        case 0xF1...0xF3: return left >= 4 && continues(1) && continues(2) && continues(3) ? 4 : 0
        case 0xF4: return left >= 4 && continues(1, 0x80...0x8F) && continues(2) && continues(3) ? 4 : 0
        default: return 0
        }
    }
}
