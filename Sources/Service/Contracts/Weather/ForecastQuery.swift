import CivilDates
import API

/// A request for the weather at a place, independent of the upstream.
public struct ForecastQuery: Sendable {
    /// The moment of a historical request.
    public enum Moment: Sendable, Hashable {
        /// Seconds since 1970-01-01T00:00:00Z, negative before it.
        case unix(Int64)
        /// `YYYY-MM-DDThh:mm:ss` in the local time of the place.
        case local(String)
    }

    /// The coordinates in degrees: -90…90 and -180…180.
    public var latitude: Double, longitude: Double
    /// The requested moment; nil for now.
    public var time: Moment?
    /// The language of summaries, by Dark Sky's code; nil for the upstream's default.
    public var language: String?
    /// Whether the hourly block covers a week instead of two days.
    public var extendsHourly = false
    /// The IANA name of the place's time zone, and its country (ISO 3166-1 alpha-2), for upstreams that must be told.
    public var timeZone: String?, countryCode: String?
    /// The units to request from upstreams that let the client choose.
    public var units = UnitSystem.si
    /// Whether an upstream that knows the units of the place's country uses those instead.
    public var unitsAreAutomatic = false
    /// The weather model to ask for, for upstreams that let the client choose; nil for their choice.
    public var model: String?
    /// The time of the request in unix seconds, for upstreams without weather of now; nil if unknown.
    public var now: Int64?

    /// A request for the current weather and the forecast.
    public init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether the system knows the time zone with an IANA name.
    public static func isTimeZone(_ name: String) -> Bool { ZoneRules.named(name) != nil }

    /// The coordinates as text for a URL.
    package var coordinates: (latitude: String, longitude: String) { (Self.decimal(latitude), Self.decimal(longitude)) }

    /// Returns `degrees` with at most seven decimals and no exponent, because not every upstream parses `1e-07`.
    ///
    /// Values beyond ±1,000,000 are clamped and NaN is 0, so that the conversion to an integer cannot trap.
    private static func decimal(_ degrees: Double) -> String {
        let scaled = (max(-1e6, min(1e6, degrees.isNaN ? 0 : degrees)) * 10_000_000).rounded()
        let (whole, rest) = UInt64(scaled.magnitude).quotientAndRemainder(dividingBy: 10_000_000)
        var text = (scaled < 0 ? "-" : "") + String(whole)
        guard rest > 0 else { return text }
        // The leading 1 keeps the zeros behind the point.
        var fraction = 10_000_000 + rest
        while fraction.isMultiple(of: 10) { fraction /= 10 }
        text += "."
        text.append(contentsOf: String(fraction).dropFirst())
        return text
    }
}

/// One of the addresses at which a forecast API answers; each has its own times.
public enum ForecastSite: String, Sendable, CaseIterable {
    /// The API for now, the next days and the latest ones.
    case current
    /// The API for earlier days: Open-Meteo's historical forecast, Pirate Weather's time machine.
    case history
    /// The API for the earliest days: Open-Meteo's archive.
    case archive
    /// A server that answers everything at one address, such as an own one or a sample.
    case own
}

extension ForecastDialect {
    /// Returns the site that answers `query` at `now`, in unix seconds, the first one of `sites` that covers its time.
    ///
    /// Returns nil if none does. The zone of a local time is not known yet: it is estimated from the place, and a site
    /// that covers all estimates that any site covers is better than one that covers a part.
    public func site(for query: ForecastQuery, among sites: [ForecastSite], now: Int64) -> ForecastSite? {
        guard let times = query.possibleTimes, let all = coverage(of: sites, now: now) else { return sites.first }
        guard times.overlaps(all) else { return nil }
        let possible = times.clamped(to: all)
        let covered = sites.map { (site: $0, range: coverage($0, now)) }
        return covered.first { $0.range.contains(possible.lowerBound) && $0.range.contains(possible.upperBound) }?.site
            ?? covered.first { $0.range.overlaps(possible) }?.site
    }

    /// Returns the times that `sites` cover at `now`, in unix seconds: from the earliest one to the latest one.
    public func coverage(of sites: [ForecastSite], now: Int64) -> ClosedRange<Int64>? {
        let ranges = sites.map { coverage($0, now) }
        guard let first = ranges.map(\.lowerBound).min(), let last = ranges.map(\.upperBound).max() else { return nil }
        return first...last
    }
}

extension ForecastQuery {
    /// Whether the requested time can be within an hour of `now`, so that upstreams know its minutes.
    func isNear(_ now: Int64) -> Bool {
        guard let times = possibleTimes else { return false }
        return times.lowerBound <= now &+ 3600 && times.upperBound >= now &- 3600
    }

    /// The range of moments that the requested time can mean; nil for a request for now.
    fileprivate var possibleTimes: ClosedRange<Int64>? {
        switch time {
        case nil: return nil
        case .unix(let seconds): return seconds...seconds
        case .local(let text):
            // Zones are up to four hours off the sun's time, and a day more at the date line.
            guard let date = ISO8601Timestamp.seconds(of: text) else { return nil }
            let longitude = max(-180, min(180, longitude.isNaN ? 0 : longitude))
            let estimate = Int64(date - longitude * 240)
            let earliest = canHaveDateOfAsia ? estimate - 28 * 3600 : estimate - 4 * 3600
            let latest = canHaveDateOfAmerica ? estimate + 28 * 3600 : estimate + 4 * 3600
            return earliest...latest
        }
    }

    /// Whether the date can be that of the day after the sun's: from Chukotka over Samoa to the Chatham Islands, and in
    /// Kiribati, whose clocks are 25 hours ahead of the sun (tz database, `australasia`).
    private var canHaveDateOfAsia: Bool {
        longitude < -168.9 || longitude < -150 && (-12...6).contains(latitude)
    }

    /// Whether the date can be that of the day before the sun's: the Aleutian Islands.
    private var canHaveDateOfAmerica: Bool { longitude > 170 && latitude > 50 }
}

/// The rows of an answer that a query requests; a request covers complete days, so its answer has more.
enum Selection {
    /// All rows.
    case all
    /// Some hours from now on, and eight days from the start of today on, as Dark Sky answered.
    case upcoming(from: Double, hours: Int, today: Double)
    /// The local day that contains a moment: its index among the days and its span, where they are known.
    case day(of: Double, index: Int?, span: Range<Double>?)
    case nothing

    /// The selection for `query`; `now` is the time of the current weather, nil if it is not known.
    init(_ query: ForecastQuery?, now: Double?, _ days: LocalDays, _ clock: LocalClock) {
        guard let query else {
            self = .all
            return
        }
        guard let time = query.time else {
            let now = now ?? -.infinity
            let today = days.day(at: now)?.span ?? clock.day(at: now)
            // Dark Sky answered the current hour and 48 more, or a week of them.
            let hours = query.extendsHourly ? 169 : 49
            self = .upcoming(from: now, hours: hours, today: today?.lowerBound ?? now - 86_399)
            return
        }
        guard let moment = clock.moment(time) else {
            self = .nothing
            return
        }
        let day = days.day(at: moment)
        self = .day(of: moment, index: day?.index, span: day?.span ?? clock.day(at: moment))
    }

    /// Whether the answer has the current weather and the next hour of the upstream.
    var isCurrent: Bool {
        switch self {
        case .all, .upcoming: true
        case .day, .nothing: false
        }
    }

    /// Returns the start of the hour of minutes: the moment of a historical query, whose minutes an answer has if the moment is
    /// near, or else `now`.
    func start(ofMinutes now: Double?) -> Double? {
        switch self {
        case .all, .upcoming: now
        case .day(let moment, _, _): (moment / 60).rounded(.down) * 60
        case .nothing: nil
        }
    }

    /// Returns the hour that contains the moment of a historical query, and that moment.
    func moment(among hours: Series) -> (row: Int, time: Double)? {
        guard case .day(let moment, _, _) = self else { return nil }
        return hours.row(at: moment).map { ($0, moment) }
    }

    /// Returns the rows of hours.
    func rows(ofHours hours: Series) -> [Int] {
        let times = hours.times
        switch self {
        case .all: return Array(times.indices)
        case .upcoming(let now, let count, _):
            let spans = hours.spans
            return Array(
                times.indices.lazy.filter { times[$0] > now - (spans.isEmpty ? 3600 : spans[$0] * 3600) }.prefix(count))
        case .day(_, _, let span): return times.indices.filter { span?.contains(times[$0]) == true }
        case .nothing: return []
        }
    }

    /// Returns the rows of the days with these starts.
    func rows(ofDays days: [Double]) -> [Int] {
        switch self {
        case .all: Array(days.indices)
        case .upcoming(_, _, let today): Array(days.indices.lazy.filter { days[$0] >= today }.prefix(8))
        case .day(_, let index, _): index.map { [$0] } ?? []
        case .nothing: []
        }
    }
}
