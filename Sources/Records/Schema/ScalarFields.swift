public import JSONText

extension Double: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .double }
    /// A number.
    public static var expectation: String { "a number" }

    /// A number.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "number") }

    /// Reads a number, or one spelled in a string.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Double? {
        guard let value = node.double ?? (rules.coerces ? node.numericStringAsDouble : nil) else {
            return reader.fail(rules.meanAbsent(node) ? .sentinel : node.isNumber ? .inexact : .mistyped)
        }
        guard let number: Double = reader.accept(value, as: value, rules) else { return nil }
        if node.isString { reader.noteCoercion(.numericString, expected: expectation) }
        // Drops the sign of -0.
        return number == 0 ? 0 : number
    }

    /// Writes the shortest form that reads back as the same number.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(self) }
}

extension String: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .string }
    /// A string.
    public static var expectation: String { "a string" }

    /// A string.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "string") }

    /// Reads a string, or the text of a number.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> String? {
        if rules.meanAbsent(node) { return reader.fail(.sentinel) }
        if let string = node.string { return string }
        guard rules.coerces, node.isNumber else { return reader.fail(.mistyped) }
        reader.noteCoercion(.textOfNumber, expected: expectation)
        return String(decoding: node.text, as: UTF8.self)
    }

    /// Writes the string with its quotes.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(self) }
}

extension Int: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .int }
    /// An integer.
    public static var expectation: String { "an integer" }

    /// An integer.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "integer") }

    /// Reads an integer: `10`, `10.0` or, unless the field is exact, `"10"`.
    ///
    /// Nothing is truncated.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Int? {
        guard let value = node.int64 ?? (rules.coerces ? node.numericStringAsInt64 : nil) else {
            let isNumber = node.isNumber || rules.coerces && node.numericText != nil
            return reader.fail(rules.meanAbsent(node) ? .sentinel : isNumber ? .inexact : .mistyped)
        }
        if reader.accept(value, as: Double(value), rules) == nil { return nil }
        if node.isString { reader.noteCoercion(.numericString, expected: expectation) }
        return Int(truncatingIfNeeded: value)
    }

    /// Writes the digits.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(Int64(self)) }
}

extension Bool: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .bool }
    /// True or false.
    public static var expectation: String { "true or false" }

    /// True or false.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "boolean") }

    /// Reads a Boolean or, unless the field is exact, 0, 1, "0", "1", "true" and "false".
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Bool? {
        if let bool = node.bool { return bool }
        let text = node.isNumber ? node.int64.map(String.init) : node.string
        switch rules.coerces ? text : nil {
        case "1", "true":
            reader.noteCoercion(.booleanText, expected: expectation)
            return true
        case "0", "false":
            reader.noteCoercion(.booleanText, expected: expectation)
            return false
        default: return reader.fail(rules.meanAbsent(node) ? .sentinel : .mistyped)
        }
    }

    /// Writes `true` or `false`.
    public func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(self) }
}
