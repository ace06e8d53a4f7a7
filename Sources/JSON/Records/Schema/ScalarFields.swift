public import JSONText

extension Double: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .double }
    /// A number.
    public static var expectation: String { "a number" }
    /// The schema of a number.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "number") }

    /// Reads a number or, unless the field is exact, a number in a string.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Double? {
        guard let (value, coercion) = reader.scalar(node, rules, node.double) else {
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

/// A scalar that another kind of scalar can be converted to by the rule of `JSONScalar.coerced(to:)`.
protocol CoercibleScalar {
    static func coerced(_ scalar: JSONScalar) -> ScalarCoercion<Self>?
}

extension Double: CoercibleScalar {
    static func coerced(_ scalar: JSONScalar) -> ScalarCoercion<Double>? { scalar.coerced(to: Double.self) }
}

extension Int: CoercibleScalar {
    static func coerced(_ scalar: JSONScalar) -> ScalarCoercion<Int>? { scalar.coerced(to: Int.self) }
}

extension Bool: CoercibleScalar {
    static func coerced(_ scalar: JSONScalar) -> ScalarCoercion<Bool>? { scalar.coerced(to: Bool.self) }
}

extension RecordReader {
    /// Returns the scalar as it is, or else what it is converted to, with the reason, if the rules allow that.
    fileprivate func scalar<Value: CoercibleScalar>(
        _ node: JSONNode, _ rules: FieldRules, _ value: Value?
    ) -> (value: Value, coercion: DriftReport.Reason?)? {
        if let value { return (value, nil) }
        guard coerces(rules), let coercion = JSONScalar(node).flatMap(Value.coerced), let reason = coercion.reason
        else { return nil }
        return (coercion.value, reason)
    }
}
