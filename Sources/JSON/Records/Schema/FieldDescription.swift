/// A field of a record's table for readers of the table: documents, JSON Schemas, comparisons.
package struct FieldDescription: Sendable {
    /// The key.
    package let name: String
    /// The values that the field takes, in words: `an integer from 1 to 10`.
    package let expectation: String
    package let rules: FieldRules
    /// Whether the record cannot be read without the field.
    package let isRequired: Bool
    /// The value in a blank record; nil if it is absent there.
    package let defaultValue: JSONValue?
    /// The fields of the record, of the elements, or of the values of a dictionary, that the field holds.
    package let members: [FieldDescription]
    /// The expectation of each element of a list or each value of a dictionary, in words; nil for other fields.
    package let elementExpectation: String?
    /// Whether the field holds a list.
    package let isList: Bool
    /// Whether the field holds a dictionary: members whose keys are data.
    package let isMap: Bool
}

extension Schema {
    /// The fields in order, with those of the records in them.
    ///
    /// A record must not contain records of its own type.
    package var descriptions: [FieldDescription] { table.descriptions(nil) }

    /// Returns the path of a property in documents: `tls.keyFile` for `\.tls.keyFile`, `jwt.id` for `\.jwt?.id`, and no
    /// text for `\.self`.
    package func path(of property: PartialKeyPath<Root>) -> String {
        var table: RecordTable? = table
        let names = property.steps.map { step in
            let field = table?.fields.first { $0.property == step }
            if case .fields(let inner)? = field?.shape.members.kind { table = inner } else { table = nil }
            return field?.name ?? step
        }
        return names == ["self"] ? "" : names.joined(separator: ".")
    }
}

extension AnyKeyPath {
    /// The names of the properties that the key path follows, without the marks of optional ones.
    var steps: [String] { "\(self)".split(separator: ".").dropFirst().map { $0.filter { $0 != "?" } } }
}

extension RecordTable {
    /// Returns the fields, with the defaults of a blank record or of the record that holds this one.
    fileprivate func descriptions(_ holder: JSONValue?) -> [FieldDescription] {
        let blank = holder ?? blank()
        return fields.map { field in
            let isList = field.shape.expectation == [String].expectation
            var (kind, isMap) = (field.shape.members.kind, false)
            if case .values(let values) = kind { (kind, isMap) = (values.kind, !isList) }
            var members: [FieldDescription] = []
            if case .fields(let table) = kind {
                let held = isMap ? nil : blank?[field.name]
                members = table.descriptions(held?.members == nil ? nil : held)
            }
            return FieldDescription(
                name: field.name, expectation: field.expectation, rules: field.rules,
                isRequired: field.rules.isRequired, defaultValue: blank?[field.name], members: members,
                elementExpectation: field.shape.elementExpectation.map(field.rules.expectation), isList: isList,
                isMap: isMap)
        }
    }
}

extension Record {
    /// The record as a JSON value.
    package var json: JSONValue? { SchemaComponents.written(self) }
}
