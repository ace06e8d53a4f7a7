public import JSONText

/// A type that a record's field can have.
///
/// Weir's own: numbers, strings, Booleans, dates, open enumerations, records, any JSON, and arrays of them. A type of
/// your own says how it is read and written, and what it takes:
///
///     extension Colour: FieldValue {
///         public static var expectation: String { "a colour" }
///         public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Colour? {
///             String.read(node, rules, &reader).flatMap(Colour.init) ?? reader.fail(.mistyped)
///         }
///         public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(name) }
///     }
public protocol FieldValue: Sendable {
    /// How the value is stored, where the tables know it; `composite` for everything else.
    ///
    ///     UnixSeconds.storage  // .double
    static var storage: FieldStorage { get }
    /// What the field takes, as a person would say it: `a number`.
    ///
    ///     UnixSeconds.expectation  // "a time in unix seconds"
    static var expectation: String { get }
    /// What stands inside the value, for paths that go on from it.
    ///
    ///     Alert.members  // its fields, so that alerts.title can be selected
    static var members: FieldMembers { get }
    /// Reads the value, telling `reader` what had to be repaired. Nil when it cannot be read; the reason is then in
    /// `reader.reason`.
    ///
    ///     Int.read(node, rules, &reader)  // 12 of 12.0 and of "12", nil of 12.5
    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Self?
    /// Reads the elements of an array; nil when it is none, or one of them cannot be read and is not to be removed.
    ///
    ///     Int.readElements(node, rules, &reader)  // [1, 2] of [1,"2"]
    static func readElements(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> [Self]?
    /// Writes the value as JSON.
    ///
    ///     HexColor(red: 1, green: 1, blue: 1).write(to: &writer, style: WritingStyle())  // "#FFFFFF"
    func write(to writer: inout JSONWriter, style: WritingStyle)
    /// Writes the elements of an array, commas between them.
    ///
    ///     Int.writeElements([1, 2], to: &writer, style: WritingStyle())  // 1,2
    static func writeElements(_ elements: [Self], to writer: inout JSONWriter, style: WritingStyle)
    /// The type's JSON Schema, as OpenAPI 3.1 has it; named parts go to `components`.
    ///
    ///     Double.schema(in: &components)  // {"type":"number"}
    static func schema(in components: inout SchemaComponents) -> JSONValue
    /// Access to a field of this type.
    ///
    ///     let access = Double.access(rules)
    static func access(_ rules: FieldRules) -> FieldAccess
    /// Access to a field of this type that may be absent.
    ///
    ///     let access = Double.optionalAccess(rules)
    static func optionalAccess(_ rules: FieldRules) -> FieldAccess
}

extension FieldValue {
    /// Composite, unless a type says otherwise.
    public static var storage: FieldStorage { .composite }

    /// Nothing that has a name, unless a type says otherwise.
    public static var members: FieldMembers { .none }

    /// An object, unless a type says otherwise.
    public static var expectation: String { "an object" }

    /// Anything, unless a type says otherwise.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .object([]) }

    /// Writes the value as it is.
    ///
    ///     alert.write(to: &writer)  // {"title":"Wind","regions":["Coast"]}
    @inlinable
    public func write(to writer: inout JSONWriter) { write(to: &writer, style: WritingStyle()) }

    /// Reads the elements in order.
    ///
    /// One that does not decode fails the array once all are read, or is removed and counted where the field says `.dropInvalid`.
    @inlinable
    public static func readElements(
        _ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader
    ) -> [Self]? {
        reader.readElements(of: node, rules, expected: expectation) { read($0, rules, &$1) }
    }

    /// Writes the elements one by one.
    @inlinable
    public static func writeElements(_ elements: [Self], to writer: inout JSONWriter, style: WritingStyle) {
        var isFirst = true
        for element in elements {
            if !isFirst { writer.write(byte: UInt8(ascii: ",")) }
            isFirst = false
            element.write(to: &writer, style: style)
        }
    }
}

extension Array: FieldValue where Element: FieldValue {
    /// An array.
    public static var expectation: String { "an array" }

    /// Reads the elements in order.
    @inlinable
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> [Element]? {
        Element.readElements(node, rules, &reader)
    }

    /// Writes the elements in order.
    @inlinable
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        writer.write(byte: UInt8(ascii: "["))
        Element.writeElements(self, to: &writer, style: style)
        writer.write(byte: UInt8(ascii: "]"))
    }

    /// An array of what the elements are.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        .object([.init("type", .string("array")), .init("items", Element.schema(in: &components))])
    }
}

/// How a field lies in its record.
///
/// The named kinds are read and written by a switch with raw loads and stores instead of a call.
///
///     UnixSeconds.storage  // .double
public enum FieldStorage: UInt8, Sendable {
    /// A `Double`, or a type of one `Double` property.
    case double
    /// A type of one `Double` property that is a moment in seconds since 1970-01-01T00:00:00Z.
    case seconds
    /// An `Int`.
    case int
    /// A `Bool`.
    case bool
    /// A `String`.
    case string
    /// Any other type.
    case composite
}
