/// The header fields of a request: byte ranges over one copy of its head.
///
/// Names compare without letter case. Values come without the optional whitespace around them (RFC 9110 §5.5); a value
/// that is not UTF-8 reads with U+FFFD in place of what is wrong. A `String` is only made when a value is asked for.
public struct HeaderFields: Sendable {
    struct Field: Sendable {
        private let bounds: (nameStart: UInt32, nameEnd: UInt32, valueStart: UInt32, valueEnd: UInt32)

        init(name: Range<Int>, value: Range<Int>) {
            bounds = (
                UInt32(truncatingIfNeeded: name.lowerBound), UInt32(truncatingIfNeeded: name.upperBound),
                UInt32(truncatingIfNeeded: value.lowerBound), UInt32(truncatingIfNeeded: value.upperBound)
            )
        }

        var name: Range<Int> { Int(bounds.nameStart)..<Int(bounds.nameEnd) }
        var value: Range<Int> { Int(bounds.valueStart)..<Int(bounds.valueEnd) }
    }

    let bytes: [UInt8]
    let fields: [Field]

    init(bytes: [UInt8], fields: [Field]) {
        self.bytes = bytes
        self.fields = fields
    }

    /// Fields made by hand, as for a test.
    ///
    /// One whose name is not a token is left out; CR, LF and NUL in a value become spaces.
    public init(_ pairs: [(name: String, value: String)] = []) {
        var bytes: [UInt8] = []
        var fields: [Field] = []
        for pair in pairs where !pair.name.isEmpty && pair.name.utf8.allSatisfy(ASCIISet.token.contains) {
            let nameStart = bytes.count
            bytes += pair.name.utf8
            let valueStart = bytes.count
            bytes.append(fieldValue: pair.value)
            let value = bytes.span.trimmed(valueStart..<bytes.count)
            fields.append(Field(name: nameStart..<valueStart, value: value))
        }
        self.init(bytes: bytes, fields: fields)
    }

    /// The field lines of a received header section, each ended by LF or CRLF.
    ///
    /// A folded value is joined (RFC 9112 §5.2). Any other line that is not `name: value`, such as the status line, is
    /// skipped.
    public init(section: [UInt8]) {
        var bytes = section
        var fields: [Field] = []
        var start = 0
        while start < bytes.count {
            var lineFeed = bytes.span.firstIndex(of: ASCII.lineFeed, in: start..<bytes.count) ?? bytes.count
            while lineFeed + 1 < bytes.count, bytes.span.isBlank(lineFeed + 1) {
                bytes[lineFeed] = ASCII.space
                if lineFeed > start, bytes[lineFeed - 1] == ASCII.carriageReturn { bytes[lineFeed - 1] = ASCII.space }
                lineFeed = bytes.span.firstIndex(of: ASCII.lineFeed, in: lineFeed..<bytes.count) ?? bytes.count
            }
            let hasReturn = lineFeed > start && bytes[lineFeed - 1] == ASCII.carriageReturn
            let line = start..<(hasReturn ? lineFeed - 1 : lineFeed)
            if let field = try? FieldLine.parse(bytes.span, line) { fields.append(field) }
            start = lineFeed + 1
        }
        self.init(bytes: bytes, fields: fields)
    }

    /// How many field lines there are.
    public var count: Int { fields.count }

    /// Every field line in order: the name in the letter case it came in, and the value.
    public var pairs: [(name: String, value: String)] {
        fields.map { (bytes.text($0.name), bytes.text($0.value)) }
    }

    /// The value of the first field line called `name`.
    public subscript(name: String) -> String? {
        for field in fields where bytes.matches(field.name, name) { return bytes.text(field.value) }
        return nil
    }

    /// The bytes of the first field line called `name`; costs no allocation.
    public func bytes(_ name: String) -> ArraySlice<UInt8>? {
        for field in fields where bytes.matches(field.name, name) { return bytes[field.value] }
        return nil
    }

    /// The values of all field lines called `name`, in order.
    public func values(_ name: String) -> [String] {
        var values: [String] = []
        for field in fields where bytes.matches(field.name, name) { values.append(bytes.text(field.value)) }
        return values
    }

    /// Whether `token` is an element of the comma-separated list in the field `name`, over all of its lines.
    ///
    /// Elements compare whole and without letter case; a comma inside a quoted string does not separate, and a
    /// parameter such as `;q=0` belongs to its element (RFC 9110 §5.6.1).
    public func contains(_ token: String, in name: String) -> Bool {
        for field in fields where bytes.matches(field.name, name) {
            var list = ListElements(field.value)
            while let element = list.next(in: bytes.span) {
                if bytes.matches(element, token) { return true }
            }
        }
        return false
    }
}

/// Walks the elements of a comma-separated list; empty elements are passed over (RFC 9110 §5.6.1.2).
struct ListElements {
    private var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next element without the whitespace around it.
    mutating func next(in bytes: Span<UInt8>) -> Range<Int>? {
        while position < end {
            let start = position
            position = elementEnd(in: bytes)
            let element = bytes.trimmed(start..<position)
            position += 1
            if !element.isEmpty { return element }
        }
        return nil
    }

    private func elementEnd(in bytes: Span<UInt8>) -> Int {
        var index = position
        var isQuoted = false
        while index < end {
            switch bytes[index] {
            case ASCII.quote: isQuoted.toggle()
            case ASCII.backslash where isQuoted: index += 1
            case ASCII.comma where !isQuoted: return index
            default: break
            }
            index += 1
        }
        return end
    }
}
