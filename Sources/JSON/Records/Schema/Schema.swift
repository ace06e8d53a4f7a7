// Unsafe: `OptionalProperty` passes the address of a record, for the duration of the call.

/// The table of a record's fields, in the order in which they are written.
///
///     let schema = Schema<Alert> {
///         Field(\.title)
///         Field(\.regions, .dropInvalid)
///     }
public struct Schema<Root: Record>: Sendable {
    @usableFromInline let table: RecordTable
    /// The lines, for tables that include this one.
    let lines: [FieldLine<Root>]

    /// A table of the given lines.
    ///
    /// The given rules hold for every line, ahead of the line's own.
    ///
    ///     let schema = Schema<Forecast>(.absent(-999)) {
    ///         Field(\.windSpeed)
    ///         Field(\.humidity, .plausible(0...1))
    ///     }
    public init(_ rules: FieldRule..., @FieldList<Root> fields: () -> [FieldLine<Root>]) {
        lines = fields().map { $0.following(rules) }
        table = RecordTable(lines)
    }

    /// The output keys, in order.
    public var keys: [String] { table.fields.map(\.name) }
}

/// Collects the lines of a table.
@resultBuilder
public enum FieldList<Root: Record> {
    /// A single line.
    public static func buildExpression(_ line: FieldLine<Root>) -> [FieldLine<Root>] { [line] }

    /// The lines of an included table.
    public static func buildExpression(_ lines: [FieldLine<Root>]) -> [FieldLine<Root>] { lines }

    /// All lines in order.
    public static func buildBlock(_ lines: [FieldLine<Root>]...) -> [FieldLine<Root>] { lines.flatMap(\.self) }
}

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
        let names = property.steps.flatMap { step in
            let found = table?.way(to: step) ?? []
            if case .fields(let inner)? = found.last?.shape.members.kind {
                table = inner as? RecordTable
            } else {
                table = nil
            }
            return found.isEmpty ? [step] : found.map(\.name)
        }
        return names == ["self"] ? "" : names.joined(separator: ".")
    }
}

/// An optional property of a record, to see whether records have a value of it without a copy of them.
package struct OptionalProperty<Root: Record>: Sendable {
    /// Whether the record at an address has a value; nil if no byte of its own tells.
    fileprivate let isTagged: (@Sendable (UnsafeRawPointer) -> Bool)?
    fileprivate let isSet: @Sendable (Root) -> Bool

    /// Whether the record has a value.
    ///
    /// The record is not changed, but passed in its place.
    package func hasValue(in record: inout Root) -> Bool {
        guard let isTagged else { return isSet(record) }
        return withUnsafePointer(to: &record) { isTagged($0) }
    }
}

extension Schema {
    /// Returns a property to look at in many records.
    package func optional<Value>(_ property: any KeyPath<Root, Value?> & Sendable) -> OptionalProperty<Root> {
        let index = table.fields.firstIndex { [$0.property] == property.steps }
        return OptionalProperty(isTagged: index.flatMap(table.presence)) { $0[keyPath: property] != nil }
    }
}

extension AnyKeyPath {
    /// The names of the properties that the key path follows, without the marks of optional ones.
    var steps: [String] { "\(self)".split(separator: ".").dropFirst().map { $0.filter { $0 != "?" } } }
}

extension RecordTable {
    /// Returns the field of a property, behind the objects without a record of their own that hold it.
    fileprivate func way(to property: String) -> [Field] {
        for field in fields {
            if field.property == property { return [field] }
            if let inner = field.shape.group?.way(to: property), !inner.isEmpty { return [field] + inner }
        }
        return []
    }

    /// Returns the fields, with the defaults of a blank record or of the record that holds this one.
    fileprivate func descriptions(_ holder: JSONValue?) -> [FieldDescription] {
        let blank = holder ?? blank()
        return fields.map { field in
            let isList = field.shape.expectation == [String].expectation
            var (kind, isMap) = (field.shape.members.kind, false)
            if case .values(let values) = kind { (kind, isMap) = (values.kind, !isList) }
            var members: [FieldDescription] = []
            if case .fields(let table as RecordTable) = kind {
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
