import CScan

/// The text of a JSON string that has escapes, which the parser has checked.
///
/// Unsafe: copies between pointers. The parser has checked that every escape is complete, and no escape is shorter than
/// the text it stands for, so room for the escaped text is enough.
enum EscapedText {
    /// The room that `resolve` needs beyond the length of the text, because it copies eight bytes at a time.
    static let slack = 8

    /// Writes the text from `first` to `end` with its escapes resolved and returns the end of what it wrote.
    ///
    /// A lone surrogate becomes U+FFFD and sets `hasLoneSurrogate`. Eight bytes at a time: reading the strings of a search
    /// answer takes 10 % more instructions byte by byte.
    static func resolve(
        _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, into start: UnsafeMutablePointer<UInt8>,
        _ hasLoneSurrogate: inout Bool
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
                cursor = resolveUnicode(cursor, end, into: &output, &hasLoneSurrogate)
            } else {
                output.pointee = character(escaped: cursor[1])
                cursor += 2
                output += 1
            }
        }
        return output
    }

    /// Returns the number of bytes of the word, the lowest first, that come before a backslash: 0 to 8.
    @inline(__always)
    private static func bytesBeforeBackslash(in word: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let difference = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        // Of the bytes that this finds, only the lowest is certain, because of borrows.
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

    /// Writes the character of the `\uXXXX`, or of the pair of surrogates, at `cursor`, and returns the end of what it
    /// read.
    private static func resolveUnicode(
        _ cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, into output: inout UnsafeMutablePointer<UInt8>,
        _ hasLoneSurrogate: inout Bool
    ) -> UnsafePointer<UInt8> {
        var value = Hex.unit(at: cursor, end) ?? 0xFFFD
        var next = cursor + 6
        if 0xD800..<0xDC00 ~= value, let second = Hex.unit(at: next, end), 0xDC00..<0xE000 ~= second {
            value = 0x10000 + (value - 0xD800) << 10 + (second - 0xDC00)
            next += 6
        }
        let scalar = Unicode.Scalar(value)
        if scalar == nil { hasLoneSurrogate = true }
        for byte in (scalar ?? "\u{FFFD}").utf8 {
            output.pointee = byte
            output += 1
        }
        return next
    }

    /// Overwrites each escape of a lone surrogate in checked JSON text with `\ufffd`, which is as long.
    static func replaceLoneSurrogates(in text: UnsafeMutablePointer<UInt8>, _ length: Int) {
        let end = UnsafePointer(text + length)
        var cursor = UnsafePointer(text)
        while true {
            cursor = weir_scan_escapes(cursor, end)
            guard cursor < end else { return }
            guard cursor.pointee == UInt8(ascii: "\\") else {
                cursor += 1
                continue
            }
            guard let unit = Hex.unit(at: cursor, end), 0xD800...0xDFFF ~= unit else {
                cursor += 2
                continue
            }
            if unit < 0xDC00, let second = Hex.unit(at: cursor + 6, end), 0xDC00...0xDFFF ~= second {
                cursor += 12
                continue
            }
            (text + (cursor - UnsafePointer(text) + 2)).update(from: ("fffd" as StaticString).utf8Start, count: 4)
            cursor += 6
        }
    }
}

/// Hexadecimal digits.
enum Hex {
    /// Returns the value of a digit, or nil for any other byte.
    @inline(__always)
    static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit &- UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit &- UInt8(ascii: "a") &+ 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit &- UInt8(ascii: "A") &+ 10)
        default: nil
        }
    }

    /// Returns the lowercase digit of a value below 16.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") &+ value : UInt8(ascii: "a") &+ value &- 10
    }

    /// Returns the code unit of the `\uXXXX` at `cursor`, or nil if there is none.
    @inline(__always)
    static func unit(at cursor: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> UInt32? {
        guard end - cursor >= 6, cursor[0] == UInt8(ascii: "\\"), cursor[1] == UInt8(ascii: "u") else { return nil }
        var unit: UInt32 = 0
        for index in 2..<6 { unit = unit << 4 | (value(cursor[index]) ?? 0) }
        return unit
    }
}

/// A scan for the places where one of several texts may be, also if its characters are encoded.
///
/// The scan finds a pair of neighbouring bytes of each text, and the escapes of ASCII characters in JSON, URLs and HTML.
///
/// Unsafe: passes pointers into the two arrays, which are alive meanwhile, to C.
package struct PairScan: Sendable {
    /// 32 bytes for each pair: each of its bytes 16 times.
    private let pairs: [UInt8]
    private let count: Int
    private let hasPunctuation: Bool

    /// A scan for `pairs`; `hasPunctuation` tells whether a text contains a slash, a quote or a backslash.
    package init(_ pairs: [(UInt8, UInt8)], hasPunctuation: Bool) {
        self.pairs = pairs.flatMap { pair in
            [pair.0, pair.1].flatMap { [UInt8](repeating: $0, count: 16) }
        }
        count = pairs.count
        self.hasPunctuation = hasPunctuation
    }

    /// Returns the first place from `start` on; the end of `bytes` if there is none.
    package func next(in bytes: [UInt8], from start: Int) -> Int {
        guard start < bytes.count else { return bytes.count }
        return bytes.withUnsafeBufferPointer { bytes in
            pairs.withUnsafeBufferPointer { pairs in
                // Without pairs, C does not read behind the pointer.
                guard let base = bytes.baseAddress else { return start }
                let end = base + bytes.count
                return weir_scan_pairs(base + start, end, pairs.baseAddress ?? base, count, hasPunctuation) - base
            }
        }
    }
}
