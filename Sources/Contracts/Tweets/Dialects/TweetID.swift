import JSONText
import LenientCoding

/// An id as upstreams send it, as a string or a number: kept digit for digit.
struct TweetID: FieldValue, Hashable {
    var text: String

    static var expectation: String { "an id" }

    static func schema(in components: inout SchemaComponents) -> JSONValue { String.schema(in: &components) }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> TweetID? {
        if let text = node.string { return text.isEmpty ? reader.fail(.sentinel) : TweetID(text: text) }
        guard node.isNumber else { return reader.fail(.mistyped) }
        let text = String(decoding: node.text, as: UTF8.self)
        if text == "-1" { return reader.fail(.sentinel) }
        // A number with a fraction or an exponent has lost its digits.
        guard text.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 && $0 <= UInt8(ascii: "9") }) else {
            return reader.fail(.inexact)
        }
        return TweetID(text: text)
    }

    func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(text) }
}
