/// The days of an answer by the times at which they start.
struct LocalDays {
    private let starts: [Double]
    private let timeline: Timeline
    private let clock: LocalClock

    init(startingAt starts: [Double], _ clock: LocalClock) {
        (self.starts, self.clock) = (starts, clock)
        timeline = Timeline(starts)
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
        guard let day = day(at: starts[index]), day.index == index,
            day.span.upperBound - day.span.lowerBound >= 82_800
        else { return nil }
        return day.span
    }
}

/// The hours that count for an extreme of a day: Dark Sky's high is that of 6 to 18 h, its low that of the following night.
enum DayWindow: Int {
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
