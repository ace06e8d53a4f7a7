import CivilDates
import JSONText
import LenientCoding

extension TwitterV1 {
    /// A date such as `Wed Aug 27 13:08:45 +0000 2008`.
    struct Date: WireValue {
        private enum Format: FixedDateStrategy {
            static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
        }

        let time: UnixSeconds

        /// By the format alone, normalizing a search takes 15 % more instructions.
        static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> Date? {
            guard node.kind == .string, let seconds = TwitterDate.parse(node.text.span) else { return nil }
            return Date(time: UnixSeconds(Double(seconds)))
        }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Date? {
            FormattedDate<Format>.read(node, rules, &reader).map { Date(time: UnixSeconds($0.date)) }
        }
    }
}
