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

/// One field of a schema, for values that do not stand under the field's key in an object of its record.
///
///     static let gust = DataPoint.schema.field(\.windGust)
///     let value = reader.number(node, as: gust, converted: kilometresPerHour)
package struct SchemaField<Value: FieldValue>: Sendable {
    /// The field's rules.
    package let rules: FieldRules
    /// The rules without the range, which applies only after a number is converted to the base unit.
    let rulesBeforeConversion: FieldRules
    /// What the field takes, in words for an error.
    let expectation: String

    fileprivate init(_ field: RecordTable.Field) {
        rules = field.rules
        var open = field.rules
        open.plausible = nil
        rulesBeforeConversion = open
        expectation = field.expectation
    }

    /// Returns whether the field can have this number, in base units: it is finite, plausible and not a sentinel.
    package func accepts(_ number: Double) -> Bool {
        number.isFinite && !rules.absentNumbers.contains(number) && rules.plausible?.contains(number) ?? true
    }
}

extension Schema {
    /// The field of a property.
    package func field<Value: FieldValue>(_ property: WritableKeyPath<Root, Value>) -> SchemaField<Value> {
        SchemaField(line(of: property))
    }

    /// The field of an optional property.
    package func field<Value: FieldValue>(_ property: WritableKeyPath<Root, Value?>) -> SchemaField<Value> {
        SchemaField(line(of: property))
    }

    private func line(of property: PartialKeyPath<Root>) -> RecordTable.Field {
        let offset = MemoryLayout<Root>.offset(of: property)
        guard let field = table.field(at: offset) else {
            // Tables are constants of the program, so no input reaches the trap.
            preconditionFailure("\(Root.self) has no line for \(property)")
        }
        return field
    }
}
