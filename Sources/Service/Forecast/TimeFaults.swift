import Contracts
import Records

// Faults of times, which servers send as any number.
extension Forecast {
    /// Times from the year 5138 on are in milliseconds: from 1973 to that year.
    private static let milliseconds = 100_000_000_000.0.nextUp...100_000_000_000_000

    /// Times so close to 1970 stand for no time, unless all points are there.
    private static let epoch = (-86_400.0).nextUp..<86_400

    /// Reads times in milliseconds, and drops times that are far from their point and points of 1970 amid others.
    mutating func correctTimes(_ drift: inout DriftReport) {
        if var point = currently {
            var faults = TimeFaults()
            let isLost = Self.epoch.contains(point.time.seconds) && hasLaterPoints
            if isLost {
                faults.note("time", false, 0)
            } else {
                point.correctTimes(in: Self.milliseconds) { faults.note($0, $1, 0) }
            }
            if !faults.list.isEmpty { currently = isLost ? nil : point }
            faults.report("currently", &drift)
        }
        for (name, block) in Self.blocks {
            guard var points = self[keyPath: block]?.data else { continue }
            var faults = TimeFaults()
            var lost = Set(points.indices.filter { Self.epoch.contains(points[$0].time.seconds) })
            if !lost.isEmpty, !Self.isLater(points) { lost = [] }
            // Nothing else refers to the points now, so they are changed in place.
            self[keyPath: block]?.data = nil
            for index in points.indices {
                if lost.contains(index) {
                    faults.note("time", false, index)
                } else {
                    points[index].correctTimes(in: Self.milliseconds) { faults.note($0, $1, index) }
                }
            }
            if !lost.isEmpty { points = points.indices.filter { !lost.contains($0) }.map { points[$0] } }
            self[keyPath: block]?.data = points
            faults.report("\(name).data[]", &drift)
        }
        correctAlertTimes(&drift)
    }

    /// Whether the points of the first block that has some are later than 1970.
    private var hasLaterPoints: Bool {
        [hourly, daily, minutely].lazy.compactMap { $0?.data }.first { !$0.isEmpty }.map(Self.isLater) == true
    }

    /// Whether the median time of some points is later than 1970.
    private static func isLater(_ points: [DataPoint]) -> Bool {
        points.map(\.time.seconds).sorted()[points.count / 2] > 366 * 86_400
    }

    /// Reads times of alerts in milliseconds, and drops those before 1970.
    private mutating func correctAlertTimes(_ drift: inout DriftReport) {
        guard let count = alerts?.count else { return }
        var faults = TimeFaults()
        for index in 0..<count {
            for (field, time) in [("time" as StaticString, \Alert.time), ("expires", \.expires)] {
                guard let seconds = alerts?[index][keyPath: time]?.seconds else { continue }
                let isMilliseconds = Self.milliseconds.contains(seconds)
                guard isMilliseconds || seconds <= 0 else { continue }
                alerts?[index][keyPath: time] = isMilliseconds ? UnixSeconds(seconds / 1000) : nil
                faults.note(field, isMilliseconds, index)
            }
        }
        faults.report("alerts[]", &drift)
    }

    /// Moves the days that begin up to an hour off the place's midnight to it.
    ///
    /// Servers add 86,400 s for each day, also across a change of the clock.
    mutating func correctDays(_ drift: inout DriftReport) {
        guard let rules = ZoneRules.named(timezone), !rules.isFixed, let count = daily?.data?.count else { return }
        let clock = LocalClock(offset: nil, rules: rules)
        var moved: [Int] = []
        for index in 0..<count {
            guard let time = daily?.data?[index].time.seconds, let midnight = clock.midnight(near: time) else {
                continue
            }
            daily?.data?[index].time = UnixSeconds(midnight)
            moved.append(index)
        }
        drift.note(.approximated, .clockChange, moved, "daily.data[].time")
    }
}

/// The fields with wrong times, and the indices of their points.
private struct TimeFaults {
    private(set) var list: [(field: StaticString, isMilliseconds: Bool, indices: [Int])] = []

    mutating func note(_ field: StaticString, _ isMilliseconds: Bool, _ index: Int) {
        let known = list.firstIndex { $0.field.utf8Start == field.utf8Start && $0.isMilliseconds == isMilliseconds }
        if let known { return list[known].indices.append(index) }
        list.append((field, isMilliseconds, [index]))
    }

    /// Reports the faults of the points at `path`.
    func report(_ path: String, _ drift: inout DriftReport) {
        for (field, isMilliseconds, indices) in list {
            drift.note(
                isMilliseconds ? .coerced : .dropped, isMilliseconds ? .milliseconds : .implausible, indices,
                "\(path).\(field)")
        }
    }
}

extension DataPoint {
    /// The seconds between a point and the times of its extremes: a day and the night after it are shorter.
    private static let extremes = 2.0 * 86_400
    /// Near the poles the sun rises and sets months away.
    private static let sun = 366.0 * 86_400

    /// Reads times in milliseconds and removes those that are far from the point, each of which is noted.
    fileprivate mutating func correctTimes(
        in milliseconds: ClosedRange<Double>, _ note: (_ field: StaticString, _ isMilliseconds: Bool) -> Void
    ) {
        if milliseconds.contains(time.seconds) {
            time.seconds /= 1000
            note("time", true)
        }
        let start = time.seconds
        forEachTime { time, field, isOfSun in
            guard let seconds = time?.seconds else { return }
            let limit = isOfSun ? Self.sun : Self.extremes
            if abs(seconds - start) <= limit { return }
            let isMilliseconds = abs(seconds / 1000 - start) <= limit
            time = isMilliseconds ? UnixSeconds(seconds / 1000) : nil
            note(field, isMilliseconds)
        }
    }

    /// Passes every time of the point but its own with its name, and whether the sun makes it.
    mutating func forEachTime(_ body: (inout UnixSeconds?, _ field: StaticString, _ isOfSun: Bool) -> Void) {
        body(&sunriseTime, "sunriseTime", true)
        body(&sunsetTime, "sunsetTime", true)
        body(&dawnTime, "dawnTime", true)
        body(&duskTime, "duskTime", true)
        body(&precipIntensityMaxTime, "precipIntensityMaxTime", false)
        body(&precipIntensityMinTime, "precipIntensityMinTime", false)
        body(&temperatureHighTime, "temperatureHighTime", false)
        body(&temperatureLowTime, "temperatureLowTime", false)
        body(&temperatureMinTime, "temperatureMinTime", false)
        body(&temperatureMaxTime, "temperatureMaxTime", false)
        body(&apparentTemperatureHighTime, "apparentTemperatureHighTime", false)
        body(&apparentTemperatureLowTime, "apparentTemperatureLowTime", false)
        body(&apparentTemperatureMinTime, "apparentTemperatureMinTime", false)
        body(&apparentTemperatureMaxTime, "apparentTemperatureMaxTime", false)
        body(&windGustTime, "windGustTime", false)
        body(&uvIndexTime, "uvIndexTime", false)
        body(&smokeMaxTime, "smokeMaxTime", false)
        body(&fireIndexMaxTime, "fireIndexMaxTime", false)
        body(&capeMaxTime, "capeMaxTime", false)
    }
}
