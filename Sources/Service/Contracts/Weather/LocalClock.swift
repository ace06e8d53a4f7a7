import API
import CivilDates
import Glibc
import Records

/// The local time of an answer's place, as the upstream writes it and as it really is.
struct LocalClock {
    /// The seconds ahead of UTC of all local times of the answer, which is the offset of its own time; nil if unknown.
    let offset: Double?
    /// The rules of the place's zone; nil if the system does not know it, and then `offset` counts.
    let rules: ZoneRules?

    /// Returns the real seconds ahead of UTC at a moment, or nil if they are not known.
    func offset(at moment: Double) -> Double? { rules?.offset(at: moment) ?? offset }

    /// Returns a requested moment in unix seconds, of a year that can be written; nil if its local time is invalid.
    func moment(_ moment: ForecastQuery.Moment) -> Double? {
        let seconds =
            switch moment {
            case .unix(let seconds): Double?(Double(seconds))
            case .local(let text): ISO8601Timestamp.seconds(of: text).flatMap { self.moment(ofLocal: $0) }
            }
        return seconds.map { max(-62e9, min(253e9, $0)) }
    }

    /// Returns the moment at which clocks show `local`, in seconds since 1970 as if they were in UTC.
    func moment(ofLocal local: Double) -> Double? {
        rules?.moment(ofLocal: local) ?? offset.map { local - $0 }
    }

    /// Returns the span of the local day that contains `moment`, of 23 to 25 hours; nil if the zone is not known.
    func day(at moment: Double) -> Range<Double>? {
        guard let offset = offset(at: moment) else { return nil }
        let midnight = ((moment + offset) / 86400).rounded(.down) * 86400
        // A moment that is too large for its seconds to be exact has no day.
        guard let start = self.moment(ofLocal: midnight), let end = self.moment(ofLocal: midnight + 86400),
            start < end
        else { return nil }
        return start..<end
    }

    /// Returns the start of the local day that is less than an hour from `moment`, or an hour; nil if `moment` is one.
    func midnight(near moment: Double) -> Double? {
        guard let offset = offset(at: moment), (moment + offset).truncatingRemainder(dividingBy: 86_400) != 0,
            let start = day(at: moment)?.lowerBound, start != moment
        else { return nil }
        if moment - start <= 3600 { return start }
        return day(at: moment + 3600).flatMap { $0.lowerBound > moment ? $0.lowerBound : nil }
    }

    /// Returns the moment some hours of the clock after the midnight at `start`; of another time, some real hours.
    func moment(atHour hour: Double, ofDayFrom start: Double) -> Double {
        guard let offset = offset(at: start), day(at: start)?.lowerBound == start else {
            return start + hour * 3600
        }
        let midnight = ((start + offset) / 86400).rounded(.down) * 86400
        return moment(ofLocal: midnight + hour * 3600) ?? start + hour * 3600
    }
}

/// The days of an answer by the times at which they start.
struct LocalDays {
    private let days: Series
    private let timeline: Timeline
    private let clock: LocalClock

    init(_ days: Series, _ clock: LocalClock) {
        (self.days, self.clock) = (days, clock)
        timeline = Timeline(days.times)
    }

    /// Returns the index and the span of the day that contains `moment`, or nil.
    ///
    /// A day ends where the next one starts, but after at most 25 hours; else at the next midnight.
    func day(at moment: Double) -> (index: Int, span: Range<Double>)? {
        guard let (index, start, next) = timeline.row(at: moment) else { return nil }
        let following = next.flatMap { $0 <= start + 90_000 ? $0 : nil }
        let end = following ?? clock.moment(atHour: 24, ofDayFrom: start)
        return start <= moment && moment < end ? (index, start..<end) : nil
    }

    /// Returns the span of a day, or nil if another day starts less than 23 hours later.
    func span(ofDay index: Int) -> Range<Double>? {
        guard let day = day(at: days.times[index]), day.index == index,
            day.span.upperBound - day.span.lowerBound >= 82_800
        else { return nil }
        return day.span
    }

    /// Whether the sun is down: in the polar day or night by the day, else by sunrise and sunset; false if unknown.
    func isNight(_ moment: Double) -> Bool {
        guard let (index, _) = day(at: moment) else { return false }
        if let isDay = days.number(.isDay, index) { return isDay == 0 }
        guard let sunrise = days.number(.sunrise, index), let sunset = days.number(.sunset, index), sunrise < sunset
        else { return false }
        return moment < sunrise || moment >= sunset
    }
}

/// The hours that count for an extreme of a day: Dark Sky's high is that of 6 to 18 h, its low that of the following night.
enum DayWindow: Int, CaseIterable {
    case day, daytime, night

    /// Returns the hours of the clock that count in the day of a span.
    func range(in day: Range<Double>, _ clock: LocalClock) -> Range<Double> {
        func moment(_ hour: Double) -> Double { clock.moment(atHour: hour, ofDayFrom: day.lowerBound) }
        switch self {
        case .day: return day
        case .daytime: return moment(6)..<max(moment(6), moment(18))
        case .night: return moment(18)..<max(moment(18), moment(30))
        }
    }
}

/// The phase of the moon, which no upstream needs to send.
enum MoonPhase {
    /// The seconds of 2000-01-01T12:00:00Z, from which the series counts.
    private static let epoch = 946_728_000.0
    private static let secondsPerCentury = 36525.0 * 86400

    /// Returns the part of the moon's cycle that has passed at a moment: 0 new, 0.25 first quarter, 0.5 full; below 1.
    ///
    /// This is the excess of the moon's ecliptic longitude over the sun's, divided by 360°, by the largest terms of
    /// Jean Meeus, Astronomical Algorithms, chapter 48. It is within 0.001 of the published times of 1994 and 2024.
    static func fraction(at unixSeconds: Int64) -> Double {
        let centuries = (Double(unixSeconds) - epoch) / secondsPerCentury
        func angle(_ start: Double, _ rate: Double) -> Double {
            (start + rate * centuries).truncatingRemainder(dividingBy: 360) * .pi / 180
        }
        let elongation = angle(297.850_192, 445_267.111_403)
        let sun = angle(357.529_109, 35999.050_291)
        let moon = angle(134.963_396, 477_198.867_506)
        // In degrees: the moon's ellipse, the sun's, the evection, the variation, and the second term of the ellipse.
        let correction =
            6.289 * sin(moon) - 2.1 * sin(sun) + 1.274 * sin(2 * elongation - moon) + 0.658 * sin(2 * elongation)
            + 0.214 * sin(2 * moon)
        let cycles = elongation / (2 * .pi) + correction / 360
        let fraction = cycles - cycles.rounded(.down)
        return fraction < 1 ? fraction : 0
    }

    /// Returns the phase at noon of the local day that starts at `start`, as Dark Sky with two decimals.
    static func ofDay(from start: Double, _ clock: LocalClock) -> Double? {
        guard let noon = Int64(exactly: clock.moment(atHour: 12, ofDayFrom: start).rounded()) else { return nil }
        let phase = Conversion.Step(scale: 1, places: 2)(fraction(at: noon))
        return phase < 1 ? phase : 0
    }
}

extension ISO8601Timestamp {
    /// The seconds since 1970, in UTC unless the text names a zone; nil if there is no such date.
    var seconds: Double? { instant.map { Double($0.seconds) + $0.fraction } }

    /// Returns the seconds since 1970 of a text, in UTC unless it names a zone; nil if it is not a date.
    static func seconds(of text: String) -> Double? { ISO8601Timestamp(text.utf8.span)?.seconds }

    /// Returns `2016-03-28T14:39:13Z`, without decimals; nil outside the years 0 to 9999.
    static func format(wholeSeconds seconds: Double) -> String? {
        format(secondsSinceEpoch: seconds.rounded(.down))
    }
}
