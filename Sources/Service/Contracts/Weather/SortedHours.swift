import Glibc
import Records

// Days are completed from their hours by the same rules for all upstreams.
extension Series {
    /// Completes days from their hours: amounts, means, the weather, and extremes with their times.
    ///
    /// Returns the days of which not all hours are known: their values are those of the known ones, as Dark Sky's were.
    mutating func completeDays(from hours: Series?, _ days: LocalDays, _ clock: LocalClock) -> Set<Int> {
        let hours = hours.map(SortedHours.init)
        var partial: Set<Int> = []
        for day in rows {
            var isPartial = false
            let span = days.span(ofDay: day)
            if let span, let part = hours?.part(span) {
                total(day, part, &isPartial)
                average(day, part, &isPartial)
            }
            let windows = span.flatMap { span in hours?.windows(of: span, clock) }
            for extreme in Extreme.all { extreme.complete(&self, day, windows?[extreme.window.rawValue], &isPartial) }
            if isPartial { partial.insert(day) }
        }
        return partial
    }

    /// Takes the amounts of precipitation and the most severe weather from the hours of the day, if they cover it, or if no
    /// column of the day has the value.
    ///
    /// Open-Meteo's own sums start and end an hour early, and its own code is the one with the greatest number.
    private mutating func total(_ day: Int, _ hours: SortedHours.Part, _ isPartial: inout Bool) {
        let round = Conversion.Step(scale: 1, places: 4)
        let lacksRain = self[.rain, day].isNaN && self[.showers, day].isNaN && self[.precipIntensity, day].isNaN
        if let rain = hours.known(.rain, evenInPart: lacksRain, &isPartial) {
            self[.rain, day] = round(rain.sum)
            self[.showers, day] = .nan
            self[.ice, day] = hours.known(.ice, evenInPart: true, &isPartial).map { round($0.sum) } ?? .nan
        }
        if let snow = hours.known(.snow, evenInPart: self[.snow, day].isNaN, &isPartial) {
            self[.snow, day] = round(snow.sum)
        }
        if hours.known(.code, evenInPart: self[.code, day].isNaN, &isPartial) != nil {
            self[.code, day] = hours.severestCode ?? self[.code, day]
        }
        if self[.precipProbability, day].isNaN,
            let probability = hours.known(.precipProbability, evenInPart: true, &isPartial)
        {
            self[.precipProbability, day] = probability.greatest
        }
        guard
            let amounts = hours.known(.precipIntensity, evenInPart: self[.precipIntensity, day].isNaN, &isPartial)
        else { return }
        let hour = amounts.covers(hours.span) ? 3600 / hours.seconds : 1 / Double(amounts.count)
        self[.precipIntensity, day] = Conversion.Step(scale: hour, places: 4)(amounts.sum)
        self[.kind, day] = hours.largestKind
    }

    /// The variables of a day that are the mean of its hours if no column has them.
    private static let means: [Variable] = [
        .dewPoint, .humidity, .pressure, .stationPressure, .cloudCover, .visibility, .windSpeed,
    ]

    /// Takes the means of the hours that have a value, for the variables that no column of the day has.
    private mutating func average(_ day: Int, _ hours: SortedHours.Part, _ isPartial: inout Bool) {
        for variable in Self.means where self[variable, day].isNaN {
            if let mean = hours.known(variable, evenInPart: true, &isPartial)?.mean { self[variable, day] = mean }
        }
        if self[.windBearing, day].isNaN { self[.windBearing, day] = hours.meanBearing ?? .nan }
    }
}

/// The hours of an answer in the order of time, for what days compute from them.
struct SortedHours {
    let series: Series
    let timeline: Timeline

    init(_ series: Series) {
        let order = Timeline(series.times).order
        self.series = order.elementsEqual(series.rows) ? series : series.taking(order)
        timeline = Timeline(self.series.times)
    }

    func part(_ span: Range<Double>) -> Part { Part(series: series, rows: timeline.places(in: span), span: span) }

    /// Returns the hours that count for each `DayWindow` of the day with this span.
    func windows(of span: Range<Double>, _ clock: LocalClock) -> [Part] {
        DayWindow.allCases.map { part($0.range(in: span, clock)) }
    }

    /// The hours that start in a span.
    struct Part {
        let series: Series
        let rows: Range<Int>
        let span: Range<Double>

        func statistics(_ variable: Variable) -> ColumnStatistics { series.statistics(variable, rows) }

        /// The length of the span.
        var seconds: Double { span.upperBound - span.lowerBound }

        /// Returns the statistics if every hour of the span has a value, or if at least one has and `evenInPart` permits it,
        /// which is noted.
        func known(_ variable: Variable, evenInPart: Bool, _ isPartial: inout Bool) -> ColumnStatistics? {
            let result = statistics(variable)
            if result.covers(span) { return result }
            guard evenInPart, result.count > 0 else { return nil }
            isPartial = true
            return result
        }

        /// The known code of the most severe weather.
        var severestCode: Double? {
            var severest: (code: Double, severity: Int)?
            for row in rows {
                guard let weather = series.weather(row) else { continue }
                if weather.severity > severest?.severity ?? -1 {
                    severest = (series[.code, row], weather.severity)
                }
            }
            return severest?.code
        }

        /// The index of the type of precipitation with the largest amount, or NaN.
        var largestKind: Double {
            var amounts = [Double](repeating: -1, count: Series.kinds.count)
            for row in rows {
                guard let kind = series.number(.kind, row), let amount = series.number(.precipIntensity, row)
                else { continue }
                amounts[Int(kind)] = max(0, amounts[Int(kind)]) + amount
            }
            let largest = amounts.indices.filter { amounts[$0] >= 0 }.max {
                (amounts[$0], Series.kinds[$0].rawValue) < (amounts[$1], Series.kinds[$1].rawValue)
            }
            return largest.map(Double.init) ?? .nan
        }

        /// The direction of the sum of all winds in whole degrees; nil if it is not known.
        ///
        /// Open-Meteo computes a day's direction so (open-meteo/open-meteo, `Sources/App/Helper/GenericDailyCalculator.swift`,
        /// `dominantDirection`).
        var meanBearing: Double? {
            var (north, east) = (0.0, 0.0)
            for row in rows {
                let speed = series[.windSpeed, row], bearing = series[.windBearing, row] * .pi / 180
                if speed.isNaN || bearing.isNaN { continue }
                north += speed * cos(bearing)
                east += speed * sin(bearing)
            }
            // Winds that cancel each other out leave the errors of their sums.
            guard hypot(north, east) > 1e-9 else { return nil }
            let degrees = (atan2(east, north) * 180 / .pi).rounded()
            return degrees < 0 ? degrees + 360 : degrees + 0
        }
    }
}

/// The greatest or least value of a day's hours, and its time.
struct Extreme {
    enum Kind {
        case minimum, maximum
        /// The maximum of an amount, which has no time if it is 0.
        case peak
    }

    /// The variable of the hours.
    let hourly: Variable
    let kind: Kind, window: DayWindow
    /// The variable of the day.
    let value: Variable
    /// The variable of the day to copy if less than half of the window's hours are known.
    let fallback: Variable?

    init(
        _ hourly: Variable, _ kind: Kind, of window: DayWindow, to value: Variable, else fallback: Variable? = nil
    ) {
        (self.hourly, self.kind, self.window) = (hourly, kind, window)
        (self.value, self.fallback) = (value, fallback)
    }

    /// An extreme comes after its fallback.
    static let all = [
        Extreme(.temperature, .maximum, of: .day, to: .temperatureMax),
        Extreme(.temperature, .minimum, of: .day, to: .temperatureMin),
        Extreme(.temperature, .maximum, of: .daytime, to: .temperatureHigh, else: .temperatureMax),
        Extreme(.temperature, .minimum, of: .night, to: .temperatureLow, else: .temperatureMin),
        Extreme(.apparentTemperature, .maximum, of: .day, to: .apparentTemperatureMax),
        Extreme(.apparentTemperature, .minimum, of: .day, to: .apparentTemperatureMin),
        Extreme(
            .apparentTemperature, .maximum, of: .daytime, to: .apparentTemperatureHigh, else: .apparentTemperatureMax),
        Extreme(
            .apparentTemperature, .minimum, of: .night, to: .apparentTemperatureLow, else: .apparentTemperatureMin),
        Extreme(.precipIntensity, .peak, of: .day, to: .precipIntensityMax),
        Extreme(.rainRate, .peak, of: .day, to: .rainRateMax),
        Extreme(.snowRate, .peak, of: .day, to: .snowRateMax),
        Extreme(.iceRate, .peak, of: .day, to: .iceRateMax),
        Extreme(.windGust, .peak, of: .day, to: .windGust),
        Extreme(.uvIndex, .peak, of: .day, to: .uvIndex),
        Extreme(.solar, .peak, of: .day, to: .solarMax),
        Extreme(.cape, .peak, of: .day, to: .capeMax),
    ]

    /// Completes a day with its extreme in `part`, the hours of the window, and the time of the extreme.
    ///
    /// A value and a time of the day's own columns stay. Half of the hours suffice to tell the time; of fewer, the extreme must
    /// be the same value.
    func complete(_ days: inout Series, _ day: Int, _ part: SortedHours.Part?, _ isPartial: inout Bool) {
        // The nights of an answer's last day are often known in part.
        var isWindowPartial = false
        let statistics = part?.known(hourly, evenInPart: true, &isWindowPartial)
        if window == .day, isWindowPartial { isPartial = true }
        let isEnough = statistics.map { Double($0.count) * 7200 >= (part?.seconds ?? 0) } ?? false
        if !isEnough, let fallback, !days[fallback, day].isNaN { return days[value, day] = days[fallback, day] }
        guard let part, let statistics else { return }
        let isLeast = kind == .minimum
        let extreme = isLeast ? statistics.least : statistics.greatest
        let isOwn = !days[value, day].isNaN
        if !isOwn { days[value, day] = extreme }
        guard isEnough || !isOwn || days[value, day] == extreme, kind != .peak || extreme != 0,
            days[timeOf: value, day].isNaN
        else { return }
        days[timeOf: value, day] = part.series.times[isLeast ? statistics.leastRow : statistics.greatestRow]
    }
}

/// The rows of a block in the order of time.
struct Timeline {
    /// The indices of the rows in the order of their times, and those times.
    let order: [Int]
    private let times: [Double]

    init(_ times: [Double]) {
        let isSorted = zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }
        order = isSorted ? Array(times.indices) : times.indices.sorted { times[$0] < times[$1] }
        self.times = isSorted ? times : order.map { times[$0] }
    }

    /// Returns the places in `order` of the rows that start in `span`.
    func places(in span: Range<Double>) -> Range<Int> {
        let first = count(before: span.lowerBound)
        return first..<max(first, count(before: span.upperBound))
    }

    /// Returns the index and the start of the last row that starts at or before `moment`, and the start of the next.
    func row(at moment: Double) -> (index: Int, start: Double, next: Double?)? {
        let position = count(before: moment.nextUp)
        guard position > 0 else { return nil }
        return (order[position - 1], times[position - 1], position < times.count ? times[position] : nil)
    }

    /// Returns the start of the first row that starts after `moment`.
    func start(after moment: Double) -> Double? {
        let place = count(before: moment.nextUp)
        return place < times.count ? times[place] : nil
    }

    /// Returns for each row the index of the row that starts `seconds` later, if that is the next one, else -1.
    func followers(after seconds: Double) -> [Int] {
        var followers = [Int](repeating: -1, count: order.count)
        for position in order.indices.dropLast() where times[position + 1] == times[position] + seconds {
            followers[order[position]] = order[position + 1]
        }
        return followers
    }

    /// Returns the number of rows that start before `moment`, by binary search.
    private func count(before moment: Double) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < moment { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// What a column of numbers has in some of its rows; NaN is no value.
struct ColumnStatistics {
    private(set) var count = 0, sum = 0.0
    private(set) var least = Double.infinity, greatest = -Double.infinity
    /// The first rows with the least and the greatest value.
    private(set) var leastRow = 0, greatestRow = 0

    /// The statistics of some rows; `start` is the place in `values` of the column's row 0.
    init(_ values: [Double], from start: Int, _ rows: Range<Int>) {
        for row in rows {
            let value = values[start + row]
            if value.isNaN { continue }
            count += 1
            sum += value
            if value < least { (least, leastRow) = (value, row) }
            if value > greatest { (greatest, greatestRow) = (value, row) }
        }
    }

    /// The mean with two decimals; nil without a value, and if the sum overflows.
    var mean: Double? {
        let mean = sum / Double(count)
        return mean.isFinite ? Conversion.Step(scale: 1, places: 2)(mean) : nil
    }

    /// Whether there is a value for every hour of a span, which can have a half hour more (Australia/Lord_Howe).
    func covers(_ span: Range<Double>) -> Bool {
        count > 0 && Double(count) >= ((span.upperBound - span.lowerBound) / 3600).rounded(.down)
    }
}
