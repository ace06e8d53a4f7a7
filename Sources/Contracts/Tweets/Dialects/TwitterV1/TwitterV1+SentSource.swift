import JSONText
import LenientCoding

extension TwitterV1 {
    /// The program that a tweet was sent with, as a link; an empty text says nothing.
    struct SentSource: FieldValue {
        let source: TweetSource

        static var expectation: String { String.expectation }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentSource? {
            if node.kind == .escapedString, let source = TweetSource(quotedLink: node.text.span) {
                return SentSource(source: source)
            }
            if node.isString, node.text.isEmpty { return reader.fail(.sentinel) }
            return SentText.read(node, rules, &reader).map { SentSource(source: TweetSource(anchor: $0.text)) }
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { source.write(to: &writer, style: style) }
    }
}
