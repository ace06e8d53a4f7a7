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
