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
