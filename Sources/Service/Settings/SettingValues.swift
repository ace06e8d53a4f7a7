package import JSONText
package import Records

/// A value, or a list of them.
package struct OneOrMany<Element: FieldValue>: FieldValue {
    package var elements: [Element] = []
    /// Whether the file has a list.
    package var isList = false

    package init() {}

    package static var expectation: String { "\(Element.expectation) or an array" }

    package static var members: FieldMembers { Element.members }

    package static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> OneOrMany? {
        var value = OneOrMany()
        if node.kind == .array {
            guard let elements = [Element].read(node, rules, &reader) else { return nil }
            (value.elements, value.isList) = (elements, true)
        } else {
            guard let element = Element.read(node, rules, &reader) else { return nil }
            value.elements = [element]
        }
        return value
    }

    package func write(to writer: inout JSONWriter, style: WritingStyle) {
        if isList {
            elements.write(to: &writer, style: style)
        } else {
            elements.first?.write(to: &writer, style: style)
        }
    }

    package static func schema(in components: inout SchemaComponents) -> JSONValue {
        let one = Element.schema(in: &components)
        return ["anyOf": [one, ["type": "array", "items": one, "minItems": 1]]]
    }
}

/// An object whose keys are names and whose values all have one type, in the order of the file.
package struct NamedValues<Value: FieldValue>: FieldValue {
    package var elements: [(name: String, value: Value)] = []

    package init() {}

    package static var elementExpectation: String? { [String: Value].elementExpectation }

    package static var members: FieldMembers { [String: Value].members }

    package static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> NamedValues? {
        guard let values = [String: Value].read(node, rules, &reader) else { return nil }
        var named = NamedValues()
        for (key, _) in node.members {
            if let name = key.string, let value = values[name] { named.elements.append((name, value)) }
        }
        return named
    }

    package func write(to writer: inout JSONWriter, style: WritingStyle) {
        writer.write(byte: UInt8(ascii: "{"))
        for (index, element) in elements.enumerated() {
            if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(element.name)
            writer.write(byte: UInt8(ascii: ":"))
            element.value.write(to: &writer, style: style)
        }
        writer.write(byte: UInt8(ascii: "}"))
    }

    package static func schema(in components: inout SchemaComponents) -> JSONValue {
        [String: Value].schema(in: &components)
    }
}
