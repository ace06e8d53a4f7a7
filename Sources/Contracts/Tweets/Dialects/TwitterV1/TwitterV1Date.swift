import JSONText
import LenientCoding

extension TwitterV1 {
    /// A date as v1.1 sends it.
    struct Moment: FieldValue {
        let moment: UnixSeconds

        static var expectation: String { FormattedDate<Created>.expectation }

        private static let days = names("SunMonTueWedThuFriSat"), months = names("JanFebMarAprMayJunJulAugSepOctNovDec")

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Moment? {
            if node.kind == .string, let moment = usual(node.text.span) { return Moment(moment: moment) }
            return FormattedDate<Created>.read(node, rules, &reader).map { Moment(moment: UnixSeconds($0.date)) }
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { moment.write(to: &writer, style: style) }

        /// The moment of a text whose letters are as Twitter writes them: nearly all are, and are read at their places.
        private static func usual(_ text: Span<UInt8>) -> UnixSeconds? {
            guard text.count == 30, days.contains(name(in: text, at: 0)),
                let month = months.firstIndex(of: name(in: text, at: 4)), text.holds(" ", at: 3),
                text.holds(" ", at: 7), let day = number(in: text, 8..<10), text.holds(" ", at: 10),
                let hour = number(in: text, 11..<13), text.holds(":", at: 13),
                let minute = number(in: text, 14..<16), text.holds(":", at: 16),
                let second = number(in: text, 17..<19), text.holds(" +0000 ", at: 19),
                let year = number(in: text, 26..<30)
            else { return nil }
            return UnixSeconds(
                year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
        }

        @inline(__always)
        private static func number(in text: Span<UInt8>, _ range: Range<Int>) -> Int? {
            var number = 0
            for index in range {
                let digit = text[index] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                number = number * 10 + Int(digit)
            }
            return number
        }

        private static func name(in text: Span<UInt8>, at start: Int) -> UInt32 {
            UInt32(text[start]) << 16 | UInt32(text[start + 1]) << 8 | UInt32(text[start + 2])
        }

        private static func names(_ text: String) -> [UInt32] {
            stride(from: 0, to: text.utf8.count, by: 3).map { name(in: text.utf8.span, at: $0) }
        }
    }
}
