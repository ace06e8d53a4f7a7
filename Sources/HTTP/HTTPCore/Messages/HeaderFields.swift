/// The header fields of a message: byte ranges over one copy of the header section.
///
/// Names are compared case-insensitively. Values have no optional whitespace around them (RFC 9110 §5.5), and invalid
/// UTF-8 in them becomes U+FFFD. A `String` is made only when a value is read.
public struct HeaderFields: Sendable {
    /// The positions of a field line's name and value in `bytes`.
    struct Field: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    let bytes: [UInt8]
    let fields: [Field]

    init(bytes: [UInt8], fields: [Field]) {
        self.bytes = bytes
        self.fields = fields
    }

    /// Fields from pairs of name and value.
    ///
    /// A field whose name is not a token is omitted; CR, LF and NUL in a value become spaces.
    public init(_ pairs: [(name: String, value: String)] = []) {
        var bytes: [UInt8] = []
        var fields: [Field] = []
        for pair in pairs where !pair.name.isEmpty && pair.name.utf8.allSatisfy(ASCII.isTokenCharacter) {
            let nameStart = bytes.count
            bytes += pair.name.utf8
            let valueStart = bytes.count
            bytes.append(fieldValue: pair.value)
            let value = bytes.span.trimmed(valueStart..<bytes.count)
            fields.append(Field(name: nameStart..<valueStart, value: value))
        }
        self.init(bytes: bytes, fields: fields)
    }

    /// The bytes that hold every name and value, for a search in all of them.
    public var section: [UInt8] { bytes }

    /// The number of field lines.
    public var count: Int { fields.count }

    /// Every field line in order, the name in its original letter case.
    public var pairs: [(name: String, value: String)] {
        fields.map { (bytes.text($0.name), bytes.text($0.value)) }
    }

    /// The value of the first field line called `name`.
    public subscript(name: String) -> String? {
        lines(name).first.map { bytes.text($0.value) }
    }

    /// The bytes of the first field line called `name`; does not allocate.
    public func bytes(_ name: String) -> ArraySlice<UInt8>? {
        for index in fields.indices where bytes.matches(fields[index].name, name) { return bytes[fields[index].value] }
        return nil
    }

    /// Whether the name of a field line contains `text`, in any letter case; does not allocate.
    public func hasName(containing text: String) -> Bool {
        let length = text.utf8.count
        return fields.contains { field in
            field.name.count >= length
                && (field.name.lowerBound...field.name.upperBound - length).contains {
                    bytes.matches($0..<$0 + length, text)
                }
        }
    }

    /// The values of all field lines called `name`, in order.
    public func values(_ name: String) -> [String] {
        lines(name).map { bytes.text($0.value) }
    }

    /// Whether `token` is an element of the comma-separated list in the field `name`, over all of its lines.
    ///
    /// Elements are compared case-insensitively, with their parameters such as `;q=0`. A comma inside a quoted string
    /// does not separate elements (RFC 9110 §5.6.1).
    public func contains(_ token: String, in name: String) -> Bool {
        var isFound = false
        for field in lines(name) {
            forEachElement(of: field.value) { isFound = isFound || bytes.matches($0, token) }
        }
        return isFound
    }

    /// The field lines called `name`, in order.
    func lines(_ name: String) -> LazyFilterSequence<[Field]> {
        fields.lazy.filter { bytes.matches($0.name, name) }
    }

    /// Calls `body` with each non-empty element of the comma-separated list in `value`.
    func forEachElement(of value: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = value.lowerBound
        var index = start
        var isQuoted = false
        while start < value.upperBound {
            if index >= value.upperBound || bytes[index] == ASCII.comma && !isQuoted {
                let element = bytes.span.trimmed(start..<min(index, value.upperBound))
                if !element.isEmpty { body(element) }
                start = index + 1
            } else if bytes[index] == ASCII.quote {
                isQuoted.toggle()
            } else if bytes[index] == ASCII.backslash, isQuoted {
                index += 1
            }
            index += 1
        }
    }
}

extension HeaderFields.Field {
    /// Reads `field-name ":" OWS field-value OWS` (RFC 9112 §5); control characters in the value are not checked.
    init(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestFailure) {
        let nameEnd = bytes.end(of: ASCII.isTokenCharacter, in: line)
        guard nameEnd > line.lowerBound, nameEnd < line.upperBound, bytes[nameEnd] == ASCII.colon else {
            if let first = line.first, bytes.isBlank(first) {
                throw .badRequest("A field line starts with whitespace: folded lines are not supported.")
            }
            // The line is not repeated, because it can contain a key.
            throw .badRequest("A field line does not start with a name and a colon.")
        }
        name = line.lowerBound..<nameEnd
        value = bytes.trimmed(nameEnd + 1..<line.upperBound)
    }
}
