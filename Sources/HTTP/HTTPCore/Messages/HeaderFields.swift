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
        bytes.span.forEachElement(of: value, body)
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

/// A field of a request that Vary names, with the value that a response was selected by (RFC 9111 §4.1).
struct SelectingField: Sendable, Equatable {
    let name: String
    /// The elements of all lines, with a comma between two; nil if the request did not have the field.
    let value: [UInt8]?
}

extension HeaderFields {
    /// The fields that Vary names, as `request` has them; nil if it names `*`, which no other request matches.
    ///
    /// More than 32 names count as `*`: to compare 30,000 with each other takes 0.9 s of processor time.
    func selection(from request: HeaderFields) -> [SelectingField]? {
        var names: [String] = []
        for line in lines("Vary") {
            forEachElement(of: line.value) {
                let name = bytes.text($0).lowercased()
                if names.count <= 32, !names.contains(name) { names.append(name) }
            }
        }
        return names.count > 32 || names.contains("*")
            ? nil : names.map { SelectingField(name: $0, value: request.normalizedValue($0)) }
    }

    /// The elements of all lines of a field, with a comma between two; nil if there is no line.
    ///
    /// Lines can be joined and the whitespace around commas can vary without a change of meaning (RFC 9110 §5.3, §5.6.1).
    func normalizedValue(_ name: String) -> [UInt8]? {
        var value: [UInt8]?
        for line in lines(name) {
            value = value ?? []
            forEachElement(of: line.value) {
                if value?.isEmpty == false { value?.append(ASCII.comma) }
                value?.append(copying: bytes.span.extracting($0))
            }
        }
        return value
    }

    /// The lines whose names are in `names`, in order.
    func including(_ names: [String]) -> HeaderFields {
        filtered { name in names.contains { bytes.matches(name, $0) } }
    }

    /// These fields, with the fields of `newer` in place of fields with the same names (RFC 9111 §3.2).
    ///
    /// The caller removes fields that must not be replaced, such as Content-Length.
    public func replacing(with newer: HeaderFields) -> HeaderFields {
        let kept = filtered { name in
            !newer.fields.contains { newer.bytes.matches($0.name, bytes.text(name)) }
        }
        let offset = kept.bytes.count
        let added = newer.fields.map { field in
            Field(
                name: field.name.lowerBound + offset..<field.name.upperBound + offset,
                value: field.value.lowerBound + offset..<field.value.upperBound + offset)
        }
        return HeaderFields(bytes: kept.bytes + newer.bytes, fields: kept.fields + added)
    }

    /// A copy of the lines whose names satisfy `isIncluded`, without the bytes of the others.
    private func filtered(_ isIncluded: (Range<Int>) -> Bool) -> HeaderFields {
        var (bytes, fields): ([UInt8], [Field]) = ([], [])
        for field in self.fields where isIncluded(field.name) {
            let start = bytes.count
            bytes += self.bytes[field.name]
            let middle = bytes.count
            bytes += self.bytes[field.value]
            fields.append(Field(name: start..<middle, value: middle..<bytes.count))
        }
        return HeaderFields(bytes: bytes, fields: fields)
    }
}
