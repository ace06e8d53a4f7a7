import Records

// Times that servers send as any number.
extension Forecast {
    /// Times from the year 5138 on are in milliseconds: from 1973 to that year.
    private static let milliseconds = 100_000_000_000.0.nextUp...100_000_000_000_000

    /// The blocks, and whether their points have the times of extremes.
    private static let blocks:
        [(name: String, block: any WritableKeyPath<Forecast, DataBlock?> & Sendable, hasExtremes: Bool)] = [
            ("minutely", \.minutely, false), ("hourly", \.hourly, false), ("daily", \.daily, true),
            ("dayNight", \.dayNight, true),
        ]

    /// Reads times in milliseconds, and drops the times of days and half days that are far from their point.
    mutating func correctTimes(_ drift: inout DriftReport) {
        if var point = currently, point.readMilliseconds(in: Self.milliseconds) {
            drift.note(.coerced, .milliseconds, [0], "currently.time")
            currently = point
        }
        for (name, block, hasExtremes) in Self.blocks {
            guard var points = self[keyPath: block]?.data,
                hasExtremes || points.indices.contains(where: { Self.milliseconds.contains(points[$0].time.seconds) })
            else { continue }
            // Nothing else refers to the points now, so they are changed in place.
            self[keyPath: block]?.data = nil
            var faults = TimeFaults()
            for index in points.indices {
                if points[index].readMilliseconds(in: Self.milliseconds) { faults.note("time", true, index) }
                if hasExtremes { points[index].correctTimes { faults.note($0, $1, index) } }
            }
            self[keyPath: block]?.data = points
            for (field, isMilliseconds, indices) in faults.list {
                let path = "\(name).data[].\(field)"
                drift.note(
                    isMilliseconds ? .coerced : .dropped, isMilliseconds ? .milliseconds : .implausible, indices, path)
            }
        }
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
}

extension DataPoint {
    /// The seconds between a point and the times of its extremes: a day and the night after it are shorter.
    private static let extremes = 2.0 * 86_400
    /// Near the poles the sun rises and sets months away.
    private static let sun = 366.0 * 86_400

    /// Reads the point's own time as milliseconds if it is in `range`; returns whether it is.
    fileprivate mutating func readMilliseconds(in range: ClosedRange<Double>) -> Bool {
        guard range.contains(time.seconds) else { return false }
        time.seconds /= 1000
        return true
    }

    /// Reads times in milliseconds and removes those that are far from the point, each of which is noted.
    fileprivate mutating func correctTimes(_ note: (_ field: StaticString, _ isMilliseconds: Bool) -> Void) {
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
