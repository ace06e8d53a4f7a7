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

    /// The times of weather: numbers beyond are milliseconds, and texts beyond are no times of weather.
    private static let plausible = ISODate.writable.lowerBound..<Forecast.milliseconds.lowerBound

    static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> MappedTime? {
        if rules.meanAbsent(node) { return nil }
        if let number = node.double {
            return plausible.contains(number) ? MappedTime(seconds: number, isLocal: false) : nil
        }
        guard let text = node.string, let timestamp = ISO8601Timestamp(text.utf8.span), let seconds = timestamp.seconds,
            plausible.contains(seconds)
        else { return nil }
        return MappedTime(seconds: seconds, isLocal: timestamp.offset == nil)
    }

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> MappedTime? {
        if let time = readPlain(node, rules) { return time }
        if let text = node.string, ISO8601Timestamp.seconds(of: text) != nil { return reader.fail(.implausible) }
        // Says whether the text is a date whose order of day and month is not known.
        guard let seconds = UnixSeconds.read(node, rules, &reader)?.seconds else { return nil }
        if plausible.contains(seconds) { return MappedTime(seconds: seconds, isLocal: false) }
        guard Forecast.milliseconds.contains(seconds) else { return reader.fail(.implausible) }
        reader.noteCoercion(.milliseconds, expected: expectation)
        return MappedTime(seconds: seconds / 1000, isLocal: false)
    }

    /// Returns the moment by the clock of the place: of an hour that clocks show twice, the later one if it is not after
    /// `previous`.
    func moment(_ clock: LocalClock, after previous: UnixSeconds? = nil) -> UnixSeconds {
        guard isLocal, let moment = clock.moment(ofLocal: seconds) else { return UnixSeconds(seconds) }
        let later = moment + 3600
        if let previous, moment <= previous.seconds, clock.offset(at: later).map({ later + $0 == seconds }) == true {
            return UnixSeconds(later)
        }
        return UnixSeconds(moment)
    }
}
