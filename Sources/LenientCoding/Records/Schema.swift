/// The table of a record's fields, in the order in which they are written.
public struct Schema<Root: Record>: Sendable {
    let table: RecordTable

    /// A table of the given lines.
    ///
    /// Rules given here hold for every line, ahead of the line's own.
    public init(_ rules: FieldRule..., @FieldList<Root> fields: () -> [FieldLine<Root>]) {
        table = RecordTable(fields(), common: rules)
    }

    /// The keys that records of this schema are written with, in order.
    public var keys: [String] { table.slots.map(\.name) }
}

/// Gathers the lines of a table.
@resultBuilder
public enum FieldList<Root: Record> {
    /// One line.
    public static func buildExpression(_ line: FieldLine<Root>) -> FieldLine<Root> { line }

    /// All lines.
    public static func buildBlock(_ lines: FieldLine<Root>...) -> [FieldLine<Root>] { lines }
}

/// One line of a record's table, made by `Field` or `OtherFields`.
public struct FieldLine<Root: Record> {
    let name: String
    let offset: Int
    let coding: FieldCoding
    let rules: [FieldRule]
    let takesUnknownKeys: Bool

    /// The name is the property's own unless it is given.
    ///
    /// The property must be stored: the table writes to it in place.
    init(_ name: String?, _ property: PartialKeyPath<Root>, _ coding: FieldCoding, _ rules: [FieldRule]) {
        let propertyName = "\(property)".split(separator: ".").last.map(String.init) ?? ""
        self.name = name ?? propertyName
        guard let offset = MemoryLayout<Root>.offset(of: property) else {
            // Tables are constants of the program: no input reaches this.
            preconditionFailure("\(Root.self).\(self.name) is not a stored property")
        }
        self.offset = offset
        self.coding = coding
        self.rules = rules
        takesUnknownKeys = false
    }

    /// A line for the members that no other line takes.
    init(unknownKeysIn property: WritableKeyPath<Root, JSONValue>) {
        name = ""
        offset = MemoryLayout<Root>.offset(of: property) ?? 0
        coding = FieldCoding(JSONValue.self, isOptional: false)
        rules = [.defaulted]
        takesUnknownKeys = true
    }
}

/// A field of `Root`: required unless its type is optional.
public func Field<Root: Record, Value: FieldValue>(
    _ property: WritableKeyPath<Root, Value>, _ rules: FieldRule...
) -> FieldLine<Root> {
    FieldLine(nil, property, FieldCoding(Value.self, isOptional: false), rules)
}

/// A field of `Root` that may be absent.
public func Field<Root: Record, Value: FieldValue>(
    _ property: WritableKeyPath<Root, Value?>, _ rules: FieldRule...
) -> FieldLine<Root> {
    FieldLine(nil, property, FieldCoding(Value.self, isOptional: true), rules)
}

/// A field of `Root` with an output key of its own: required unless its type is optional.
public func Field<Root: Record, Value: FieldValue>(
    _ name: String, _ property: WritableKeyPath<Root, Value>, _ rules: FieldRule...
) -> FieldLine<Root> {
    FieldLine(name, property, FieldCoding(Value.self, isOptional: false), rules)
}

/// A field of `Root` with an output key of its own that may be absent.
public func Field<Root: Record, Value: FieldValue>(
    _ name: String, _ property: WritableKeyPath<Root, Value?>, _ rules: FieldRule...
) -> FieldLine<Root> {
    FieldLine(name, property, FieldCoding(Value.self, isOptional: true), rules)
}

/// Takes the scalar and array members that no other line knows, under their camelCase keys.
public func OtherFields<Root: Record>(_ property: WritableKeyPath<Root, JSONValue>) -> FieldLine<Root> {
    FieldLine(unknownKeysIn: property)
}
