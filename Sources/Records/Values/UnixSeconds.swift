public import FoundationEssentials
public import JSONText

/// A moment as seconds since 1970-01-01T00:00:00Z, the form in which forecasts carry their dates.
///
/// It is a value of its own, which keeps the number as it came, and a strategy for dates:
///
///     struct DataPoint: Codable {
///         var time: UnixSeconds
///         @Coded<UnixSeconds> var sunrise: Date
///         @Coded<UnixSeconds?> var sunset: Date?
///     }
public struct UnixSeconds: FieldValue, Hashable, Comparable {
    /// Seconds since the epoch; negative before it.
    ///
    ///     UnixSeconds(86400).seconds  // 86400.0
    public var seconds: Double

    /// The moment `seconds` after the epoch.
    ///
    ///     let time = UnixSeconds(1_459_175_953)
    public init(_ seconds: Double) { self.seconds = seconds }

    /// Stored as one `Double`.
    public static var storage: FieldStorage { .seconds }
    /// A time in seconds.
    public static var expectation: String { "a time in unix seconds" }

    /// A number.
    public static func schema(in components: inout SchemaComponents) -> JSONValue { .schema(ofType: "number") }

    /// Reads a number of seconds or, unless the field is exact, one spelled in a string or an ISO 8601 date with its zone.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> UnixSeconds? {
        guard rules.coerces, let moment = node.string.flatMap(UnixSeconds.init(iso8601:)) else {
            return Double.read(node, rules, &reader).map(UnixSeconds.init)
        }
        if !reader.isPlausible(moment.seconds, rules) { return reader.fail(.implausible) }
        reader.noteCoercion(.dateText, expected: expectation)
        return moment
    }

    /// Writes the number of seconds, or the date in UTC where dates are to be ISO 8601 and it lies in the years 0001 to
    /// 9999, then down to the microsecond.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        guard style.dates == .iso8601,
            let (time, microseconds) = CivilTime.parts(ofSecondsSince1970: seconds, unitsPerSecond: 1_000_000),
            time.year > 0
        else { return writer.write(seconds) }
        writer.write(atMost: 29) { room in
            room.write(byte: UInt8(ascii: "\""))
            ISO8601.forEachByte(of: time, microseconds) { room.write(byte: $0) }
            room.write(byte: UInt8(ascii: "\""))
        }
    }

    /// The moment of a date and a time of day in UTC; nil where there is no such time.
    package init?(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        var time = CivilTime()
        (time.year, time.month, time.day) = (year, month, day)
        (time.hour, time.minute, time.second) = (hour, minute, second)
        guard let seconds = time.secondsSince1970(offset: 0) else { return nil }
        self.seconds = Double(seconds)
    }

    /// The moment that an ISO 8601 date names; nil where it is none, or does not tell its zone.
    private init?(iso8601 text: String) {
        guard let reading = ISO8601.Reading(text), let offset = reading.offset,
            let whole = reading.time.secondsSince1970(offset: offset)
        else { return nil }
        seconds = Double(whole) + reading.fraction
    }

    /// Earlier moments come first.
    public static func < (left: UnixSeconds, right: UnixSeconds) -> Bool { left.seconds < right.seconds }
}

extension UnixSeconds {
    /// The moment as a `Date`.
    ///
    ///     UnixSeconds(86400).date.timeIntervalSince1970  // 86400.0
    public var date: Date { Date(timeIntervalSince1970: seconds) }

    /// The moment of `date`.
    ///
    ///     UnixSeconds(Date(timeIntervalSince1970: 86400)).seconds  // 86400.0
    public init(_ date: Date) { self.init(date.timeIntervalSince1970) }
}

extension UnixSeconds: Codable {
    /// Reads a number of seconds.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes the number of seconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(seconds)
    }
}
