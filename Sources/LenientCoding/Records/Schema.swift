/// The table of a record's fields, in the order in which they are written.
public struct Schema<Root: Record>: Sendable {
    @usableFromInline let table: RecordTable
    /// The lines with the rules that hold for all of them, for the tables that include this one.
    let lines: [FieldLine<Root>]

    /// A table of the given lines.
    ///
    /// Rules given here hold for every line, ahead of the line's own.
    public init(_ rules: FieldRule..., @FieldList<Root> fields: () -> [FieldLine<Root>]) {
        lines = fields().map { $0.following(rules) }
        table = RecordTable(lines)
    }

    /// The keys that records of this schema are written with, in order.
    public var keys: [String] { table.fields.map(\.name) }
}

/// Gathers the lines of a table.
@resultBuilder
public enum FieldList<Root: Record> {
    /// One line.
    public static func buildExpression(_ line: FieldLine<Root>) -> [FieldLine<Root>] { [line] }

    /// The lines of another table.
    public static func buildExpression(_ lines: [FieldLine<Root>]) -> [FieldLine<Root>] { lines }

    /// All lines.
    public static func buildBlock(_ lines: [FieldLine<Root>]...) -> [FieldLine<Root>] { lines.flatMap(\.self) }
}
