extension Array<UInt8> {
    init(copying bytes: Span<UInt8>) {
        self.init()
        // Growing is specialized code, unlike the initializers that allocate (500 instructions in a metadata cache).
        reserveCapacity(bytes.count)
        append(copying: bytes)
    }

    mutating func append(copying bytes: Span<UInt8>) {
        let start = count
        append(addingCapacity: bytes.count) { $0.append(repeating: 0, count: bytes.count) }
        // Two spans and unchecked indices let the compiler copy in vectors; appended one by one a byte costs ten.
        precondition(start + bytes.count <= count)
        var target = mutableSpan
        for index in 0..<bytes.count { target[unchecked: start &+ index] = bytes[unchecked: index] }
    }

    /// Appends `number` in decimal digits.
    mutating func append(decimal number: Int) {
        if number < 0 { append(UInt8(ascii: "-")) }
        let start = count
        var rest = number.magnitude
        repeat {
            append(ASCII.zero &+ UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }

    /// The bytes of `range` as text; what is not UTF-8 reads as U+FFFD.
    func text(_ range: Range<Int>) -> String {
        String(decoding: self[range], as: UTF8.self)
    }

    /// Whether the bytes of `range` are `text`, letter case ignored.
    func matches(_ range: Range<Int>, _ text: String) -> Bool {
        span.extracting(range).matches(text)
    }
}

extension Span<UInt8> {
    /// Whether the bytes are `text`, letter case ignored.
    func matches(_ text: String) -> Bool {
        let utf8 = text.utf8
        guard utf8.count == count else { return false }
        let other = utf8.span
        for index in indices
        where ASCII.lowercased(self[unchecked: index]) != ASCII.lowercased(other[unchecked: index]) {
            return false
        }
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
    func isBlank(_ index: Int) -> Bool {
        self[index] == ASCII.space || self[index] == ASCII.tab
    }

    /// The index of the first `byte` in `range`, or nil.
    func firstIndex(of byte: UInt8, in range: Range<Int>) -> Int? {
        for index in range where self[index] == byte { return index }
        return nil
    }

    /// The index of the first byte in `start..<end` that is not in `set`, or `end`.
    @inline(__always)
    func end(of set: ASCIISet, from start: Int, to end: Int) -> Int {
        precondition(start >= 0 && end <= count)
        var index = start
        while index < end, set.contains(self[unchecked: index]) { index &+= 1 }
        return index
    }

    /// Whether the bytes of `range` are a token (RFC 9110 §5.6.2).
    func isToken(_ range: Range<Int>) -> Bool {
        !range.isEmpty && end(of: .token, from: range.lowerBound, to: range.upperBound) == range.upperBound
    }

    /// Up to 40 characters of `range` for a message: visible ASCII as it is, everything else as `\xHH`.
    func excerpt(_ range: Range<Int>) -> String {
        var text: [UInt8] = []
        for index in range {
            let byte = self[index]
            let isPlain = byte >= 0x20 && byte < 0x7F && byte != ASCII.quote && byte != ASCII.backslash
            guard text.count + (isPlain ? 1 : 4) <= 40 else {
                return String(decoding: text, as: UTF8.self) + "..."
            }
            if isPlain {
                text.append(byte)
            } else {
                text += "\\x".utf8
                text.append(hexadecimal: byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}

extension Array<UInt8> {
    /// Appends `byte` as two upper-case hexadecimal digits.
    mutating func append(hexadecimal byte: UInt8) {
        for digit in [byte >> 4, byte & 15] {
            append(digit < 10 ? ASCII.zero + digit : UInt8(ascii: "A") + digit - 10)
        }
    }
}
