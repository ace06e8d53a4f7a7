import JSONText
import LenientCoding

extension OpenMeteo {
    /// Reads times: unix seconds, or the clocks of the place without a zone.
    struct Clock {
        /// Seconds ahead of UTC; nil where the document does not say.
        let offset: Double?

        /// Reads a moment by the rules of a field.
        ///
        /// A local time that cannot be placed, because the document does not say how far the clocks are ahead, is wrong.
        func read(
            _ node: JSONNode, as field: SchemaField<UnixSeconds>, _ reader: inout RecordReader
        ) -> UnixSeconds? {
            guard let text = node.string, let date = ISO8601.date(from: text) else {
                return UnixSeconds.read(node, field.rules, &reader)
            }
            var seconds = UnixSeconds(date).seconds
            if Self.isLocal(text) {
                guard let offset else { return reader.fail(.mistyped) }
                seconds -= offset
            }
            return field.accepts(seconds) ? UnixSeconds(seconds) : reader.fail(.implausible)
        }

        /// The moment that the clocks of the place show as `text`; nil when it is none.
        func moment(_ text: String) -> Double? {
            guard let date = ISO8601.date(from: text), let offset else { return nil }
            return UnixSeconds(date).seconds - offset
        }

        /// Whether a date has no zone: a day has none, and a time that has one takes no other.
        private static func isLocal(_ text: String) -> Bool {
            text.utf8.count == 10 || ISO8601.date(from: text + "Z") != nil
        }
    }
}
