extension Span<UInt8> {
    /// The bytes of `range`, which are ASCII, as text.
    func text(_ range: Range<Int>) -> String {
        guard let text = try? UTF8Span(validating: extracting(range)) else { return "" }
        return String(copying: text)
    }

    /// Whether the bytes of `range` are `text`, letter case ignored.
    // Inlined, because the lengths decide nearly all calls; otherwise a request takes 9 % more instructions.
    @inline(__always)
    func matches(_ range: Range<Int>, _ text: String) -> Bool {
        guard text.utf8.count == range.count else { return false }
        let (bytes, other) = (extracting(range), text.utf8.span)
        for index in bytes.indices where ASCII.lowercased(bytes[index]) != ASCII.lowercased(other[index]) {
            return false
        }
        return true
    }

    /// Whether the bytes of `range` are exactly `text`.
    package func equals(_ range: Range<Int>, _ text: String) -> Bool {
        guard text.utf8.count == range.count else { return false }
        let (bytes, other) = (extracting(range), text.utf8.span)
        for index in bytes.indices where bytes[index] != other[index] { return false }
        return true
    }

    /// `range` without the spaces and tabs at its two ends (OWS, RFC 9110 §5.6.3).
    func trimmed(_ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, isBlank(start) { start += 1 }
        while start < end, isBlank(end - 1) { end -= 1 }
        return start..<end
    }

    /// Whether a space or a tab is at `index`.
    func isBlank(_ index: Int) -> Bool { self[index] == ASCII.space || self[index] == ASCII.tab }

    /// The index of the first `byte` in `range`, or nil.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        let bytes = extracting(range)
        for index in bytes.indices where bytes[index] == byte { return range.lowerBound + index }
        return nil
    }

    /// The end of the run of bytes at the start of `range` that satisfy `isMember`.
    @inline(__always)
    func end(of isMember: (UInt8) -> Bool, in range: Range<Int>) -> Int {
        let bytes = extracting(range)
        for index in bytes.indices where !isMember(bytes[index]) { return range.lowerBound + index }
        return range.upperBound
    }

    /// The index of the first control character other than HTAB in `range`, or its end.
    func firstControl(in range: Range<Int>) -> Int {
        var start = range.lowerBound
        // Sixteen bytes without a branch become vector instructions: 16 % fewer for a request of 273 bytes.
        while start + 16 <= range.upperBound {
            let block = extracting(start..<start + 16)
            var hits: UInt8 = 0
            for index in block.indices { hits |= (block[index] < 0x20 ? 1 : 0) | (block[index] == 0x7F ? 1 : 0) }
            if hits != 0 { break }
            start += 16
        }
        return end(of: { $0 >= 0x20 && $0 != 0x7F || $0 == ASCII.tab }, in: start..<range.upperBound)
    }

    /// Whether the bytes of `range` are a token (RFC 9110 §5.6.2).
    func isToken(_ range: Range<Int>) -> Bool {
        !range.isEmpty && end(of: ASCII.isTokenCharacter, in: range) == range.upperBound
    }

    /// Up to 40 characters of `range` for an error text: visible ASCII as it is, everything else as `\xHH`.
    func excerpt(_ range: Range<Int>) -> String {
        var text = ""
        for index in range {
            let byte = self[index]
            let isPlain = 0x20...0x7E ~= byte && byte != ASCII.quote && byte != ASCII.backslash
            let next = isPlain ? String(Unicode.Scalar(byte)) : "\\x" + ASCII.hexadecimal(byte)
            guard text.utf8.count + next.utf8.count <= 40 else { return text + "..." }
            text += next
        }
        return text
    }
}

extension Array<UInt8> {
    /// The bytes of `range` as text; invalid UTF-8 becomes U+FFFD.
    func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }

    /// Whether the bytes of `range` are `text`, letter case ignored.
    @inline(__always)
    func matches(_ range: Range<Int>, _ text: String) -> Bool { span.matches(range, text) }

    init(copying bytes: Span<UInt8>) {
        self.init()
        append(copying: bytes)
    }

    package mutating func append(copying bytes: Span<UInt8>) {
        // Without bytes, the library writes to the storage that all empty arrays share.
        if bytes.isEmpty { return }
        bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
    }
}
