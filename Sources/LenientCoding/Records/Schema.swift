/// The table of a record's fields, in the order in which they are written.
public struct Schema<Root: Record>: Sendable {
    @usableFromInline let table: RecordTable

    /// A table of the given lines.
    ///
    /// Rules given here hold for every line, ahead of the line's own.
    public init(_ rules: FieldRule..., @FieldList<Root> fields: () -> [FieldLine<Root>]) {
        table = RecordTable(fields(), common: rules)
    }

    /// The keys that records of this schema are written with, in order.
    public var keys: [String] { table.fields.map(\.name) }
}

/// Gathers the lines of a table.
@resultBuilder
public enum FieldList<Root: Record> {
    /// One line.
    public static func buildExpression(_ line: FieldLine<Root>) -> FieldLine<Root> { line }

    /// All lines.
    public static func buildBlock(_ lines: FieldLine<Root>...) -> [FieldLine<Root>] { lines }
}
