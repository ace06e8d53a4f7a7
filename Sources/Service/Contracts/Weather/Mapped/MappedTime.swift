import API
import CivilDates
import JSONText
import Records

/// The time of a point in a document of a mapping: unix seconds, or a date and time, or a date, of the place's own clock unless
/// the text names an offset.
struct MappedTime: WireValue {
    /// Seconds since 1970; of a local time, as if the clock were in UTC.
    private let seconds: Double
    private let isLocal: Bool

    static let unknown = MappedTime(seconds: 0, isLocal: false)

    static var expectation: String { "a time in unix seconds or ISO 8601" }

    static func schema(in components: inout SchemaComponents) -> JSONValue {
        ["type": ["number", "string"], "format": "date-time"]
    }

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> MappedTime? {
        if let number = node.double { return MappedTime(seconds: number, isLocal: false) }
        guard let text = node.string, let timestamp = ISO8601Timestamp(text.utf8.span), let seconds = timestamp.seconds
        else { return nil }
        return MappedTime(seconds: seconds, isLocal: timestamp.offset == nil)
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> MappedTime? {
        if let time = readPlain(node, rules) { return time }
        // Says whether the text is a date whose order of day and month is not known.
        return UnixSeconds.read(node, rules, &reader).map { MappedTime(seconds: $0.seconds, isLocal: false) }
    }

    /// Returns the moment by the clock of the place.
    func moment(_ clock: LocalClock) -> UnixSeconds {
        UnixSeconds(isLocal ? clock.moment(ofLocal: seconds) ?? seconds : seconds)
    }
}
