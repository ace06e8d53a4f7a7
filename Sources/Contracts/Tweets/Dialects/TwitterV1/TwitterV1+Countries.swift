import JSONText
import LenientCoding

extension TwitterV1 {
    /// Country codes in an array or, as users once had them, in one string: `GR, HK`.
    struct Countries: FieldValue {
        var codes: [String]

        static var expectation: String { "country codes" }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Countries? {
            if let text = node.string {
                return Countries(codes: text.split { $0 == "," || $0 == " " }.map(String.init))
            }
            return [String].read(node, rules, &reader).map(Countries.init)
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { codes.write(to: &writer, style: style) }
    }
}
