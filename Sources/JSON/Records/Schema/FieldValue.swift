public import JSONText

/// A type that a record's field can have.
///
/// The library's own types are numbers, strings, Booleans, dates, open enumerations, records, any JSON, and arrays of
/// them. Another type states what it takes, and how it is read and written:
///
///     extension Colour: FieldValue {
///         public static var expectation: String { "a colour" }
///         public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Colour? {
///             String.read(node, rules, &reader).flatMap(Colour.init) ?? reader.fail(.mistyped)
///         }
///         public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(name) }
///     }
public protocol FieldValue: Sendable {
    /// How the value is stored; `composite` unless the tables know the type.
    static var storage: FieldStorage { get }
    /// What the field takes, in words for an error: `a number`.
    static var expectation: String { get }
    /// The expectation of each element of an array or each value of a dictionary, in words; nil for other types.
    static var elementExpectation: String? { get }
    /// What the value contains, for paths that continue into it.
    static var members: FieldMembers { get }
    /// Reads a value in its usual form; nil for any other, which the reader then reads with `read(_:_:_:)`.
    ///
    /// It saves the reader to keep account of the value's location, which only notes need.
    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> Self?
    /// Reads the value and notes repairs with `reader`. Returns nil if the value cannot be read; `reader.reason` then
    /// says why.
    ///
    ///     Int.read(node, rules, &reader)  // 12 for 12.0 and for "12", nil for 12.5
    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Self?
    /// Reads the elements of an array. Returns nil if the value is not an array, or if an element cannot be read and the
    /// rules do not drop it.
    static func readElements(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> [Self]?
    /// Writes the value as JSON.
    func write(to writer: inout JSONWriter, style: WritingStyle)
    /// Writes the elements of an array with commas between them.
    static func writeElements(_ elements: [Self], to writer: inout JSONWriter, style: WritingStyle)
    /// Returns the type's JSON Schema as OpenAPI 3.1 has it; named parts are added to `components`.
    static func schema(in components: inout SchemaComponents) -> JSONValue
    /// Returns the access to a field of this type, or to an optional one.
    static func access(_ rules: FieldRules, isOptional: Bool) -> FieldAccess
}

/// How a field is stored in its record.
///
/// Every kind but `composite` is read and written by a switch instead of a call.
public enum FieldStorage: UInt8, Sendable {
    /// A `Double`, or a type with one `Double` property.
    case double
    /// A type with one `Double` property that holds seconds since 1970-01-01T00:00:00Z.
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

extension FieldValue {
    /// `composite`.
    public static var storage: FieldStorage { .composite }

    /// No members.
    public static var members: FieldMembers { .none }

    /// An object.
    public static var expectation: String { "an object" }

    /// Nil: no elements.
    public static var elementExpectation: String? { nil }

    /// No value.
    @inlinable
    public static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> Self? { nil }

    /// The schema that allows any value.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .object([]) }

    /// Writes the value in the default style.
    ///
    ///     alert.write(to: &writer)  // {"title":"Wind","regions":["Coast"]}
    @inlinable
    public func write(to writer: inout JSONWriter) { write(to: &writer, style: WritingStyle()) }

    /// Reads the elements in order.
    @inlinable
    public static func readElements(
        _ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader
    ) -> [Self]? {
        reader.readElements(of: node, rules, expected: rules.expectation(of: expectation)) { read($0, rules, &$1) }
    }

    /// Writes the elements in order.
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

    /// The expectation of the type of the elements.
    public static var elementExpectation: String? { Element.expectation }

    /// What the elements contain.
    public static var members: FieldMembers { Element.members }

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

    /// The schema of an array of the element's schema.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        .object([.init("type", .string("array")), .init("items", Element.schema(in: &components))])
    }
}

// MARK: Scalars

extension Double: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .double }
    /// A number.
    public static var expectation: String { "a number" }
    /// The schema of a number.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "number") }

    /// Reads a number or, unless the field is exact, a number in a string.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Double? {
        guard let (value, coercion) = reader.scalar(node, rules, node.double), value.isFinite else {
            return reader.fail(rules.meanAbsent(node) ? .sentinel : node.isNumber ? .inexact : .mistyped)
        }
        guard let number = reader.accept(value, as: value, rules) else { return nil }
        if let coercion { reader.noteCoercion(coercion, expected: expectation) }
        // Drops the sign of -0.
        return number == 0 ? 0 : number
    }

    /// Writes the shortest text that reads back as the same number.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(self) }
}

extension Int: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .int }
    /// An integer.
    public static var expectation: String { "an integer" }
    /// The schema of an integer.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "integer") }

    /// Reads an integer, `10` or `10.0`, or, unless the field is exact, `"10"`.
    ///
    /// Fractions are not truncated.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Int? {
        guard let (value, coercion) = reader.scalar(node, rules, node.int64.map { Int(truncatingIfNeeded: $0) }) else {
            let isNumber = node.isNumber || reader.coerces(rules) && node.numericText != nil
            return reader.fail(rules.meanAbsent(node) ? .sentinel : isNumber ? .inexact : .mistyped)
        }
        guard let number = reader.accept(value, as: Double(value), rules) else { return nil }
        if let coercion { reader.noteCoercion(coercion, expected: expectation) }
        return number
    }

    /// Writes the digits.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(Int64(self)) }
}

extension Bool: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .bool }
    /// True or false.
    public static var expectation: String { "true or false" }
    /// The schema of a Boolean.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "boolean") }

    /// Reads a Boolean or, unless the field is exact, 0, 1, "0", "1", "true" and "false".
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Bool? {
        guard let (value, coercion) = reader.scalar(node, rules, node.bool) else {
            return reader.fail(rules.meanAbsent(node) ? .sentinel : .mistyped)
        }
        if let coercion { reader.noteCoercion(coercion, expected: expectation) }
        return value
    }

    /// Writes `true` or `false`.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(self) }
}

extension String: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .string }
    /// A string.
    public static var expectation: String { "a string" }
    /// The schema of a string.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "string") }

    /// Reads a string or, unless the field is exact, the text of a number.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> String? {
        if rules.meanAbsent(node) { return reader.fail(.sentinel) }
        if node.isString { return reader.string(of: node) }
        guard reader.coerces(rules), node.isNumber else { return reader.fail(.mistyped) }
        reader.noteCoercion(.textOfNumber, expected: expectation)
        return String(decoding: node.text, as: UTF8.self)
    }

    /// Writes the string in quotes.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(self) }
}

extension RecordReader {
    /// Returns the scalar as it is, or else what it is converted to, with the reason, if the rules allow that.
    fileprivate func scalar<Value: CoercibleScalar>(
        _ node: JSONNode, _ rules: FieldRules, _ value: Value?
    ) -> (value: Value, coercion: DriftReport.Reason?)? {
        if let value { return (value, nil) }
        guard coerces(rules), let coercion = JSONValue(scalar: node).flatMap(Value.coerced(from:)),
            let reason = coercion.reason
        else { return nil }
        return (coercion.value, reason)
    }
}
