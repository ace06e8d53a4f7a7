extension JSONNode {
    /// The string with its escapes resolved; nil for other kinds.
    ///
    /// A lone surrogate becomes U+FFFD.
    ///
    ///     root["title"]?.string  // "Wind"
    public var string: String? {
        switch kind {
        // The parser has checked the UTF-8.
        case .string: String(copying: UTF8Span(unchecked: text.span))
        case .escapedString: withUnescaped { String(copying: UTF8Span(unchecked: $0.span)) }
        default: nil
        }
    }

    /// Whether this is the string `other`, whatever its escapes.
    ///
    ///     root["title"]?.equals("Wind")  // true
    public func equals(_ other: String) -> Bool {
        guard isString else { return false }
        // Byte by byte: for the standard library's `==` the composed and the decomposed é are one key.
        if kind == .escapedString { return withUnescaped { $0.elementsEqual(other.utf8) } }
        var other = other
        return other.withUTF8 { $0.count == length && $0.elementsEqual(text) }
    }

    /// The number that the string spells, in JSON's grammar with white space around it allowed, as text within the
    /// source; nil when it spells none.
    ///
    ///     node.numericText.map { String(decoding: $0, as: UTF8.self) }  // "12.50" of " 12.50"
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
    ///
    ///     node.numericStringAsDouble  // 12.5 of "12.50"
    public var numericStringAsDouble: Double? { numericText.flatMap(NumberText.double) }

    /// The integer that the string spells; nil when it spells none, a fraction, or one that does not fit.
    ///
    ///     node.numericStringAsInt64  // 12 of "12", nil of "12.5"
    public var numericStringAsInt64: Int64? { numericText.flatMap(NumberText.integer) }

    /// The bytes of a string with its escapes resolved.
    func unescaped() -> [UInt8] { withUnescaped { Array($0) } }

    /// Hands the string's bytes to `body` with their escapes resolved.
    private func withUnescaped<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let text = text
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count + EscapedText.slack) { room in
            // Room of at least `slack` bytes has an address, and so has the text of a string.
            guard let start = room.baseAddress, let first = text.baseAddress else {
                return body(UnsafeBufferPointer(start: nil, count: 0))
            }
            let end = EscapedText.resolve(first, first + text.count, into: start)
            return body(UnsafeBufferPointer(start: start, count: end - start))
        }
    }
}
