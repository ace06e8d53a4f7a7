import JSONText
import LenientCoding

/// An id as upstreams send it, as a string or a number: kept digit for digit.
struct TweetID: FieldValue {
    /// A number becomes text only where it is asked for: beside most there is the same id as a string.
    private enum Form {
        case text(String)
        case number(Int64)
    }

    private let form: Form

    init(text: String) { form = .text(text) }

    private init(number: Int64) { form = .number(number) }

    /// The digits, or what else the id is made of.
    var text: String {
        switch form {
        case .text(let text): text
        case .number(let number): String(number)
        }
    }

    static var expectation: String { "an id" }

    static func schema(in components: inout SchemaComponents) -> JSONValue { String.schema(in: &components) }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> TweetID? {
        if let text = node.string { return text.isEmpty ? reader.fail(.sentinel) : TweetID(text: text) }
        guard node.isNumber else { return reader.fail(.mistyped) }
        let isNegative = node.text.first == UInt8(ascii: "-")
        if node.kind == .integer, !isNegative, let number = node.int64 { return TweetID(number: number) }
        let text = String(decoding: node.text, as: UTF8.self)
        if text == "-1" { return reader.fail(.sentinel) }
        // A number with a fraction or an exponent has lost its digits.
        guard node.kind == .integer, !isNegative else { return reader.fail(.inexact) }
        return TweetID(text: text)
    }

    func write(to writer: inout JSONWriter, style: WritingStyle) { writer.write(text) }
}

extension TweetID: Hashable {
    static func == (left: TweetID, right: TweetID) -> Bool { left.text == right.text }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
