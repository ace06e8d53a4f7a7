/// The bytes that HTTP's grammar is made of.
enum ASCII {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var quote: UInt8 { 0x22 }
    static var numberSign: UInt8 { 0x23 }
    static var percent: UInt8 { 0x25 }
    static var ampersand: UInt8 { 0x26 }
    static var plus: UInt8 { 0x2B }
    static var comma: UInt8 { 0x2C }
    static var slash: UInt8 { 0x2F }
    static var zero: UInt8 { 0x30 }
    static var colon: UInt8 { 0x3A }
    static var semicolon: UInt8 { 0x3B }
    static var equals: UInt8 { 0x3D }
    static var questionMark: UInt8 { 0x3F }
    static var backslash: UInt8 { 0x5C }

    static func isDigit(_ byte: UInt8) -> Bool { zero...zero + 9 ~= byte }

    /// Whether `byte` is visible ASCII, 0x21...0x7E.
    static func isVisible(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte }

    /// Whether `byte` is `tchar` of RFC 9110 §5.6.2, a character of a token.
    static func isTokenCharacter(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "%", "&", "'", "*", "+", "-", ".", "^", "_", "`", "|", "~":
            true
        default: false
        }
    }

    /// Whether `byte` is `unreserved` of RFC 3986 §2.3.
    static func isUnreserved(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": true
        default: false
        }
    }

    /// Whether `byte` is `sub-delims` of RFC 3986 §2.2.
    static func isSubDelimiter(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "!", "$", "&", "'", "(", ")", "*", "+", ",", ";", "=": true
        default: false
        }
    }

    /// The value of a hexadecimal digit in either case, or nil.
    static func hexValue(_ byte: UInt8) -> UInt8? {
        if isDigit(byte) { return byte - zero }
        let letter = lowercased(byte)
        return UInt8(ascii: "a")...UInt8(ascii: "f") ~= letter ? letter - UInt8(ascii: "a") + 10 : nil
    }

    /// `byte` as two upper-case hexadecimal digits.
    static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// The lower-case form of an ASCII letter; any other byte unchanged.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}

extension Span<UInt8> {
    /// The bytes of `range`, which are ASCII, as text.
    func text(_ range: Range<Int>) -> String {
        guard let text = try? UTF8Span(validating: extracting(range)) else { return "" }
        return String(copying: text)
    }

    /// Whether the bytes of `range` are `text`, letter case ignored.
    // Inlined, because the lengths decide nearly all calls; otherwise a request takes 9 % more instructions.
    @inline(__always)
    package func matches(_ range: Range<Int>, _ text: String) -> Bool {
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

    /// The decimal number in `range`, at most `maximum`; nil for anything else, and for leading zeros unless they are allowed.
    func decimal(_ range: Range<Int>, maximum: Int = .max, allowsLeadingZeros: Bool = false) -> Int? {
        guard let first = range.first, range.count == 1 || self[first] != ASCII.zero || allowsLeadingZeros else {
            return nil
        }
        var value = 0
        for index in range {
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, carries) = product.addingReportingOverflow(Int(self[index]) - Int(ASCII.zero))
            guard ASCII.isDigit(self[index]), !overflows, !carries else { return nil }
            value = sum
        }
        return value <= maximum ? value : nil
    }

    /// Calls `body` with each non-empty element of the comma-separated list in `range`; quoted commas do not count.
    func forEachElement(of range: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = range.lowerBound
        var index = start
        var isQuoted = false
        while start < range.upperBound {
            if index >= range.upperBound || self[index] == ASCII.comma && !isQuoted {
                let element = trimmed(start..<Swift.min(index, range.upperBound))
                if !element.isEmpty { body(element) }
                start = index + 1
            } else if self[index] == ASCII.quote {
                isQuoted.toggle()
            } else if self[index] == ASCII.backslash, isQuoted {
                index += 1
            }
            index += 1
        }
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

/// Numbers as hexadecimal digits in lower case.
package enum Hexadecimal {
    /// Returns the eight digits of `number`, the first one in the lowest byte: all at once take a tenth of the instructions.
    @inlinable
    package static func digits(_ number: UInt32) -> UInt64 {
        var digits = UInt64(number.byteSwapped)
        digits = (digits | digits << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits >> 4 | digits << 8) & 0x0F0F_0F0F_0F0F_0F0F
        // 1 in each byte that is a letter; `a` is 39 behind the character that follows 9.
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* 39
    }
}

extension [UInt8] {
    /// Appends `number` in 32 digits.
    mutating func append(hexadecimal number: UInt128) {
        append(addingCapacity: 32) { target in
            for shift in stride(from: 96, through: 0, by: -32) {
                let digits = Hexadecimal.digits(UInt32(truncatingIfNeeded: number >> shift))
                for place in stride(from: 0, to: 64, by: 8) {
                    target.append(UInt8(truncatingIfNeeded: digits >> place))
                }
            }
        }
    }
}

// Numbers and texts in files and stored values: the lowest byte of a number comes first, and a text is its length in 4 bytes and
// its bytes.
extension [UInt8] {
    /// Appends a number.
    package mutating func append(littleEndian number: some FixedWidthInteger) {
        for shift in stride(from: 0, to: number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    /// Appends the length of a text and the text.
    package mutating func append(counted text: some Collection<UInt8>) {
        append(littleEndian: UInt32(text.count))
        append(contentsOf: text)
    }
}

extension ArraySlice<UInt8> {
    /// Removes a number from the start; nil if there are too few bytes.
    package mutating func takeNumber<Number: FixedWidthInteger>(_: Number.Type) -> Number? {
        let size = Number.bitWidth / 8
        guard count >= size else { return nil }
        defer { removeFirst(size) }
        return prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    /// Removes a text behind its length from the start; nil if there is no such text.
    package mutating func takeCounted() -> ArraySlice<UInt8>? {
        var rest = self
        guard let length = rest.takeNumber(UInt32.self), rest.count >= Int(length) else { return nil }
        self = rest.dropFirst(Int(length))
        return rest.prefix(Int(length))
    }
}
