import CSystem

extension JSONNode {
    /// The string with its escapes resolved; nil for other kinds.
    ///
    /// A lone surrogate becomes U+FFFD.
    public var string: String? {
        switch kind {
        case .string: String(decoding: text, as: UTF8.self)
        case .escapedString: String(decoding: unescaped(), as: UTF8.self)
        default: nil
        }
    }

    /// Whether this is the string `other`, whatever its escapes.
    public func equals(_ other: String) -> Bool {
        guard isString else { return false }
        // Byte by byte: for the standard library's `==` the composed and the decomposed é are one key.
        if kind == .escapedString { return unescaped().elementsEqual(other.utf8) }
        var other = other
        return other.withUTF8 { $0.count == length && $0.elementsEqual(text) }
    }

    /// The number that the string spells, in JSON's grammar with white space around it allowed, as text within the
    /// source; nil when it spells none.
    public var numericText: UnsafeBufferPointer<UInt8>? {
        guard kind == .string else { return nil }
        var first = text.startIndex
        var last = text.endIndex
        while first < last, text[first] == 0x20 { first += 1 }
        while first < last, text[last - 1] == 0x20 { last -= 1 }
        guard first < last else { return nil }
        let trimmed = UnsafeBufferPointer(rebasing: text[first..<last])
        guard let start = trimmed.baseAddress, let scan = NumberText.scan(start, start + trimmed.count),
            scan.end == start + trimmed.count
        else { return nil }
        return trimmed
    }

    /// The number that the string spells, as a double; nil when it spells none or one beyond the range of doubles.
    public var numericStringAsDouble: Double? { numericText.flatMap(NumberText.double) }

    /// The integer that the string spells; nil when it spells none, a fraction, or one that does not fit.
    public var numericStringAsInt64: Int64? { numericText.flatMap(NumberText.int64) }

    /// The bytes of a string with its escapes resolved.
    func unescaped() -> [UInt8] {
        let (first, end) = (source + offset, source + offset + length)
        // No escape is shorter than what it stands for.
        return [UInt8](unsafeUninitializedCapacity: length) { room, count in
            guard var target = room.baseAddress else { return }
            let start = target
            var cursor = first
            while true {
                let stop = weir_scan_escapes(cursor, end)
                memcpy(target, cursor, stop - cursor)
                target += stop - cursor
                cursor = stop
                if cursor == end { break }
                Self.unescape(&cursor, end, to: &target)
            }
            count = target - start
        }
    }

    /// Writes what the escape at `cursor` stands for, a pair of surrogates as one, and steps behind it.
    ///
    /// The parser has checked the escape.
    private static func unescape(
        _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, to target: inout UnsafeMutablePointer<UInt8>
    ) {
        guard let first = Hex.unit(at: cursor, end) else {
            target.pointee = character(escaped: cursor[1])
            target += 1
            cursor += 2
            return
        }
        cursor += 6
        var scalar = first
        if 0xD800..<0xDC00 ~= first, let second = Hex.unit(at: cursor, end), 0xDC00..<0xE000 ~= second {
            scalar = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
            cursor += 6
        } else if 0xD800..<0xE000 ~= first {
            scalar = 0xFFFD
        }
        write(scalar, to: &target)
    }

    private static func write(_ scalar: UInt32, to target: inout UnsafeMutablePointer<UInt8>) {
        func append(_ lead: UInt32, _ bits: UInt32) {
            target.pointee = UInt8(truncatingIfNeeded: lead | bits)
            target += 1
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
}
