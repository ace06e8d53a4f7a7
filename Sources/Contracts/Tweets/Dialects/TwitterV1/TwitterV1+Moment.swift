import CivilDates
import JSONText
import LenientCoding

extension TwitterV1 {
    /// A date of v1.1.
    struct Moment: FieldValue {
        let moment: UnixSeconds

        static var expectation: String { FormattedDate<Created>.expectation }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Moment? {
            if node.kind == .string, let seconds = TwitterDate.parse(node.text.span) {
                return Moment(moment: UnixSeconds(Double(seconds)))
            }
            return FormattedDate<Created>.read(node, rules, &reader).map { Moment(moment: UnixSeconds($0.date)) }
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { moment.write(to: &writer, style: style) }
    }
}
