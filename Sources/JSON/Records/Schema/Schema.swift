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
