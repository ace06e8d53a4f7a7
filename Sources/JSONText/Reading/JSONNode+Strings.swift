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
        let text = text
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] != UInt8(ascii: "\\") {
                bytes.append(text[index])
                index += 1
            } else if text[index + 1] != UInt8(ascii: "u") {
                bytes.append(Self.character(escaped: text[index + 1]))
                index += 2
            } else {
                index = Self.appendUnicodeEscape(text, at: index, to: &bytes)
            }
        }
        return bytes
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

    /// Appends the scalar of the `\uXXXX` at `index`, joined with a second one where they are a surrogate pair.
    ///
    /// The parser has checked the digits. Returns the index behind what was read.
    private static func appendUnicodeEscape(
        _ text: UnsafeBufferPointer<UInt8>, at index: Int, to bytes: inout [UInt8]
    ) -> Int {
        func unit(at index: Int) -> UInt32? {
            guard index + 5 < text.count, text[index] == UInt8(ascii: "\\"), text[index + 1] == UInt8(ascii: "u")
            else { return nil }
            return (2..<6).reduce(0) { $0 << 4 | (Hex.value(text[index + $1]) ?? 0) }
        }
        let first = unit(at: index) ?? 0xFFFD
        if 0xD800..<0xDC00 ~= first, let second = unit(at: index + 6), 0xDC00..<0xE000 ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        {
            bytes.append(contentsOf: UTF8.encode(scalar).unsafelyUnwrapped)
            return index + 12
        }
        bytes.append(contentsOf: UTF8.encode(Unicode.Scalar(first) ?? "\u{FFFD}").unsafelyUnwrapped)
        return index + 6
    }
}
