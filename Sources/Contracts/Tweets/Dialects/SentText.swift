import JSONText
import LenientCoding

/// A text that stays where it stands in the document until it is asked for: of several forms of one, most never are.
///
/// Valid, like its node, only while the document is read, and Sendable because it goes nowhere in that time.
struct SentText: FieldValue, @unchecked Sendable {
    private let node: JSONNode

    /// The string, or the digits of a number.
    var text: String { node.string ?? String(decoding: node.text, as: UTF8.self) }

    static var expectation: String { String.expectation }

    static func schema(in components: inout SchemaComponents) -> JSONValue { String.schema(in: &components) }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentText? {
        // What is no string is judged as one would be.
        node.isString || String.read(node, rules, &reader) != nil ? SentText(node: node) : nil
    }

    func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(text) }
}
