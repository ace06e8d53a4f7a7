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
