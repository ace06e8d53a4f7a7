import API
import JSONText
import Records

// Faults of times, which servers send as any number.
extension Forecast {
    /// Times from the year 5138 on are in milliseconds: from 1973 to that year.
    static let milliseconds = 100_000_000_000.0.nextUp...100_000_000_000_000

    /// Times so close to 1970 stand for no time, unless all points are there.
    fileprivate static let epoch = (-86_400.0).nextUp..<86_400

    /// Reads times in milliseconds, and drops times that are far from their point and points of 1970 amid others.
    ///
    /// Nearly all forecasts have none, which one pass over the points tells, without a copy.
    mutating func correctTimes(_ drift: inout DriftReport) {
        if currently?.hasDoubtfulTime() == true {
            let others = [hourly, daily, minutely].lazy.compactMap { $0?.data }.first { !$0.isEmpty }
            currently = [currently].compactMap(\.self).correctingTimes(amid: others ?? [], "currently", &drift).first
        }
        forEachBlock { block, name in
            guard block?.data?.haveDoubtfulTimes() == true, let points = block?.data else { return }
            block?.data = points.correctingTimes(amid: points, "\(name.rawValue).data[]", &drift)
        }
        correctAlertTimes(&drift)
    }

    /// Reads times of alerts in milliseconds, and drops those before 1970 and ends before the begin.
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
            guard let begin = alerts?[index].time, let end = alerts?[index].expires, end < begin else { continue }
            alerts?[index].expires = nil
            faults.note("expires", false, index)
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
    private var list: [(field: StaticString, isMilliseconds: Bool, indices: [Int])] = []

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

extension [DataPoint] {
    /// Whether a time of some point may be wrong.
    ///
    /// The points are not changed, but passed in their place.
    fileprivate mutating func haveDoubtfulTimes() -> Bool {
        for index in indices where self[index].hasDoubtfulTime() { return true }
        return false
    }

    /// Returns the points with correct times, without those of 1970 if the median time of `others` is later.
    fileprivate func correctingTimes(
        amid others: [DataPoint], _ path: String, _ drift: inout DriftReport
    ) -> [DataPoint] {
        let times = others.map(\.time.seconds).sorted()
        let isOfToday = !times.isEmpty && times[times.count / 2] > 366 * 86_400
        var faults = TimeFaults(), points: [DataPoint] = []
        for (index, point) in enumerated() {
            if isOfToday, Forecast.epoch.contains(point.time.seconds) {
                faults.note("time", false, index)
                continue
            }
            points.append(point)
            points[points.count - 1].correctTimes { faults.note($0, $1, index) }
        }
        faults.report(path, &drift)
        return points
    }
}

extension DataPoint {
    /// The seconds between a point and the times of its extremes: a day and the night after it are shorter.
    private static let extremes = 2.0 * 86_400
    /// Near the poles the sun rises and sets months away.
    private static let sun = 366.0 * 86_400

    /// Whether the point's own time or the distance of another one is not plausible; the point is not changed.
    fileprivate mutating func hasDoubtfulTime() -> Bool {
        let start = time.seconds
        if start > Forecast.milliseconds.lowerBound || Forecast.epoch.contains(start) { return true }
        // Most points have no other time, which takes no branch for each.
        var times = 0
        forEachTime { time, _, _ in times &+= time == nil ? 0 : 1 }
        guard times > 0 else { return false }
        var isDoubtful = false
        forEachTime { time, _, isOfSun in
            guard let seconds = time?.seconds else { return }
            if !(abs(seconds - start) <= (isOfSun ? Self.sun : Self.extremes)) { isDoubtful = true }
        }
        return isDoubtful
    }

    /// Reads times in milliseconds and removes those that are far from the point, each of which is noted.
    fileprivate mutating func correctTimes(_ note: (_ field: StaticString, _ isMilliseconds: Bool) -> Void) {
        if Forecast.milliseconds.contains(time.seconds) {
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
    @inline(__always)
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

// Parts that say nothing, or the same again.
extension Forecast {
    /// Removes the current weather and the blocks of the answer to `query` whose points have nothing but a time and what
    /// follows from the time.
    ///
    /// - Throws: `ContractError` if no point with a value is left.
    mutating func removeHollowParts(
        answering query: ForecastQuery, _ drift: inout DriftReport
    ) throws(ContractError) {
        if currently?.hasValues == false {
            currently = nil
            drift.note(.dropped, .missing, [0], "currently")
        }
        var hasValues = currently != nil
        forEachBlock { block, name in
            guard let points = block?.data, !points.isEmpty else { return }
            if points.indices.contains(where: { points[$0].hasValues }) {
                hasValues = true
            } else {
                block = nil
                drift.note(.dropped, .missing, [0], name.rawValue)
            }
        }
        if hasValues { return }
        var reader = RecordReader()
        // Points without a time that can be read are no points: they need nothing else.
        let untimed = drift.entries.first {
            $0.kind == .dropped
                && ($0.reason == .ambiguousDate || $0.reason == .invalid && $0.path.hasSuffix(".data[]"))
        }
        if let untimed {
            reader.failDocument(
                untimed.reason,
                expected: "times in unix seconds or ISO 8601, such as 2026-11-29T18:00:00Z, at \(untimed.example)")
            throw reader.failure(expected: "")
        }
        let moment = query.time == nil ? "" : " of the requested time"
        reader.failDocument(
            .missing, expected: "a value\(moment) that the contract knows, beside the times of the points")
        throw reader.failure(expected: "")
    }

    /// Removes the alerts that equal an earlier one, which are noted.
    mutating func removeRepeatedAlerts(_ drift: inout DriftReport) {
        guard let all = alerts, all.count > 1 else { return }
        var kept: Set<Alert> = []
        let repeated = all.indices.filter { !kept.insert(all[$0]).inserted }
        if repeated.isEmpty { return }
        kept = []
        alerts = all.filter { kept.insert($0).inserted }
        drift.note(.dropped, .duplicate, repeated, "alerts[]")
    }
}

extension DataPoint {
    fileprivate var hasValues: Bool {
        // Nearly every point has one of these.
        if temperature != nil || temperatureMax != nil || precipIntensity != nil || summary != nil { return true }
        var blank = DataPoint()
        // Weir computes the phase of the moon itself.
        (blank.time, blank.moonPhase) = (time, moonPhase)
        return JSONWriter.bytes(expecting: 64) { write(to: &$0) }
            != JSONWriter.bytes(expecting: 64) { blank.write(to: &$0) }
    }
}
