/// The table of a record's fields, in the order in which they are written.
///
///     let schema = Schema<Alert> {
///         Field(\.title)
///         Field(\.regions, .dropInvalid)
///     }
public struct Schema<Root: Record>: Sendable {
    @usableFromInline let table: RecordTable
    /// The lines with the rules that hold for all of them, for the tables that include this one.
    let lines: [FieldLine<Root>]

    /// A table of the given lines.
    ///
    /// Rules given here hold for every line, ahead of the line's own.
    ///
    ///     let schema = Schema<Forecast>(.absent(-999)) {
    ///         Field(\.windSpeed)
    ///         Field(\.humidity, .plausible(0...1))
    ///     }
    public init(_ rules: FieldRule..., @FieldList<Root> fields: () -> [FieldLine<Root>]) {
        lines = fields().map { $0.following(rules) }
        table = RecordTable(lines)
    }

    /// The keys that records of this schema are written with, in order.
    ///
    ///     Alert.schema.keys  // ["title", "regions", "severity", "expires"]
    public var keys: [String] { table.fields.map(\.name) }
}

/// Gathers the lines of a table.
///
///     @FieldList<Alert> var lines: [FieldLine<Alert>] {
///         Field(\.title)
///         Field(\.regions, .dropInvalid)
///     }
@resultBuilder
public enum FieldList<Root: Record> {
    /// One line.
    ///
    ///     FieldList<Alert>.buildExpression(Field(\.title))
    public static func buildExpression(_ line: FieldLine<Root>) -> [FieldLine<Root>] { [line] }

    /// The lines of another table.
    ///
    ///     FieldList<Alert>.buildExpression([Field(\.title), Field(\.regions)])
    public static func buildExpression(_ lines: [FieldLine<Root>]) -> [FieldLine<Root>] { lines }

    /// All lines.
    ///
    ///     FieldList<Alert>.buildBlock([Field(\.title)], [Field(\.regions)])
    public static func buildBlock(_ lines: [FieldLine<Root>]...) -> [FieldLine<Root>] { lines.flatMap(\.self) }
}

/// One field of a schema, by whose rules values are read that do not stand under its key in an object of its record.
///
///     static let gust = DataPoint.schema.field(\.windGust)
///     let value = reader.number(node, as: gust, converted: kilometresPerHour)
package struct SchemaField<Value: FieldValue>: Sendable {
    /// What the table says of the field.
    package let rules: FieldRules
    /// The rules but for the range: a number of another unit is judged once it is converted.
    let rulesBeforeConversion: FieldRules
    /// What the field takes, as a person would say it.
    let expectation: String

    fileprivate init(_ field: RecordTable.Field) {
        rules = field.rules
        var open = field.rules
        open.plausible = nil
        rulesBeforeConversion = open
        expectation = field.expectation
    }

    /// Whether the field can be this number in `si`: one that stands for no value, it cannot.
    package func accepts(_ number: Double) -> Bool {
        number.isFinite && !rules.absentNumbers.contains(number) && rules.plausible?.contains(number) ?? true
    }
}

extension Schema {
    /// The line of a property that is always there.
    package func field<Value: FieldValue>(_ property: WritableKeyPath<Root, Value>) -> SchemaField<Value> {
        SchemaField(line(of: property))
    }

    /// The line of a property that may be absent.
    package func field<Value: FieldValue>(_ property: WritableKeyPath<Root, Value?>) -> SchemaField<Value> {
        SchemaField(line(of: property))
    }

    private func line(of property: PartialKeyPath<Root>) -> RecordTable.Field {
        let offset = MemoryLayout<Root>.offset(of: property)
        guard let index = table.fields.indices.first(where: { Int(table.slots[$0].offset) == offset }) else {
            // Tables are constants of the program: no input reaches this.
            preconditionFailure("\(Root.self) has no line for \(property)")
        }
        return table.fields[index]
    }
}
