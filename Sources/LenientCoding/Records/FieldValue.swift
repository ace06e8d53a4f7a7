public import JSONText

/// A type that a record's field can have.
///
/// Weir's own: numbers, strings, Booleans, dates, open enumerations, records, any JSON, and arrays of them.
public protocol FieldValue: Sendable {
    /// How the value is stored, where the tables know it; `composite` for everything else.
    static var storage: FieldStorage { get }
    /// What the field takes, as a person would say it: `a number`.
    static var expectation: String { get }
    /// Reads the value, telling `reader` what had to be repaired. Nil when it cannot be read; the reason is then in
    /// `reader.reason`.
    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Self?
    /// Writes the value as JSON.
    func write(to writer: inout JSONWriter)
}

/// How a field lies in its record.
///
/// The named kinds are read and written by a switch instead of a call.
public enum FieldStorage: UInt8, Sendable {
    /// A `Double`.
    case double
    /// A type of one `Double` property.
    case unixSeconds
    /// A `String`.
    case string
    /// Any other type.
    case composite
}

extension FieldValue {
    /// Composite, unless a type says otherwise.
    public static var storage: FieldStorage { .composite }

    /// An object, unless a type says otherwise.
    public static var expectation: String { "an object" }
}

extension Double: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .double }
    /// A number.
    public static var expectation: String { "a number" }

    /// Reads a number, or one spelled in a string.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Double? {
        guard let value = node.double ?? (rules.coerces ? node.numericStringAsDouble : nil) else {
            return reader.fail(rules.meanAbsent(node) ? .sentinel : node.isNumber ? .inexact : .mistyped)
        }
        if rules.absentNumbers.contains(value) { return reader.fail(.sentinel) }
        if let plausible = rules.plausible, !plausible.contains(value) { return reader.fail(.implausible) }
        if node.isString { reader.noteCoercion(.numericString, expected: expectation) }
        return value == 0 ? 0 : value
    }

    /// Writes the shortest form that reads back as the same number.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension String: FieldValue {
    /// Stored as itself.
    public static var storage: FieldStorage { .string }
    /// A string.
    public static var expectation: String { "a string" }

    /// Reads a string, or the text of a number.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> String? {
        if rules.meanAbsent(node) { return reader.fail(.sentinel) }
        if let string = node.string { return string }
        guard rules.coerces, node.isNumber else { return reader.fail(.mistyped) }
        reader.noteCoercion(.textOfNumber, expected: expectation)
        return String(decoding: node.text, as: UTF8.self)
    }

    /// Writes the string with its quotes.
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Int: FieldValue {
    /// An integer.
    public static var expectation: String { "an integer" }

    /// Reads an integer: `10`, `10.0` or, unless the field is exact, `"10"`.
    ///
    /// Nothing is truncated.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Int? {
        guard let value = node.int64 ?? (rules.coerces ? node.numericStringAsInt64 : nil) else {
            let isNumber = node.isNumber || rules.coerces && node.numericText != nil
            return reader.fail(rules.meanAbsent(node) ? .sentinel : isNumber ? .inexact : .mistyped)
        }
        if rules.absentNumbers.contains(Double(value)) { return reader.fail(.sentinel) }
        if let plausible = rules.plausible, !plausible.contains(Double(value)) { return reader.fail(.implausible) }
        if node.isString { reader.noteCoercion(.numericString, expected: expectation) }
        return Int(value)
    }

    /// Writes the digits.
    public func write(to writer: inout JSONWriter) { writer.write(Int64(self)) }
}

extension Bool: FieldValue {
    /// True or false.
    public static var expectation: String { "true or false" }

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
    public func write(to writer: inout JSONWriter) { writer.write(self) }
}

extension Array: FieldValue where Element: FieldValue {
    /// An array.
    public static var expectation: String { "an array" }

    /// Reads the elements in order.
    ///
    /// One that does not decode fails the array once all are read, or is removed and counted where the field says `.dropInvalid`.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> [Element]? {
        guard node.kind == .array else { return reader.fail(.mistyped) }
        var elements: [Element] = []
        var isWhole = true
        elements.reserveCapacity(Swift.min(node.count, 1024))
        for (index, element) in node.elements.enumerated() {
            let mark = reader.enterElement(index)
            defer { reader.leaveElement() }
            if elements.count == rules.maximumElements {
                reader.dropElement(since: mark, .tooMany, expected: "at most \(rules.maximumElements) elements")
            } else if let value = Element.read(element, rules, &reader) {
                elements.append(value)
            } else if rules.dropsInvalid {
                reader.dropElement(since: mark, expected: Element.expectation)
            } else {
                reader.recordElementFailure(Element.expectation)
                isWhole = false
            }
        }
        return isWhole ? elements : reader.fail(.invalid)
    }

    /// Writes the elements in order.
    public func write(to writer: inout JSONWriter) {
        writer.write(byte: UInt8(ascii: "["))
        var isFirst = true
        for element in self {
            if !isFirst { writer.write(byte: UInt8(ascii: ",")) }
            isFirst = false
            element.write(to: &writer)
        }
        writer.write(byte: UInt8(ascii: "]"))
    }
}
