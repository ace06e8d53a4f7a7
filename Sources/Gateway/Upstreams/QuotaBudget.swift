import CivilDates

/// The requests that an upstream may get in each second, minute, hour, day and month of UTC; a value without a clock.
struct QuotaBudget: Sendable {
    enum Period: String, CaseIterable, Codable, Sendable {
        case second, minute, hour, day, month

        /// Returns the period that contains `now`, in unix seconds.
        func window(at now: Int) -> Range<Int> {
            let length: Int
            switch self {
            case .second: length = 1
            case .minute: length = 60
            case .hour: length = 3600
            case .day: length = 86_400
            case .month:
                var time = CivilTime(secondsSinceEpoch: now)
                (time.day, time.hour, time.minute, time.second) = (1, 0, 0, 0)
                let start = time.secondsSinceEpoch() ?? now
                (time.year, time.month) = time.month == 12 ? (time.year + 1, 1) : (time.year, time.month + 1)
                return start..<max(start + 1, time.secondsSinceEpoch() ?? 0)
            }
            let start = now - now % length
            return start..<start + length
        }
    }

    private struct Window: Sendable {
        let period: Period
        var limit: Int
        var start = 0
        var used = 0

        /// Starts a new window if its time has come.
        ///
        /// A clock that goes back a little does not start one: the requests since then would count twice.
        mutating func advance(to now: Int) {
            let current = period.window(at: now)
            let length = current.upperBound - current.lowerBound
            if start < current.lowerBound || start > now + length {
                (start, used) = (current.lowerBound, 0)
            }
        }
    }

    private var windows: [Window]
    /// The part of each limit that is kept for refreshing, in percent.
    private let refreshPercent: Int

    /// A budget with these limits, all at least 1; without any it is never spent.
    init(_ limits: [Period: Int] = [:], refreshPercent: Int = 0) {
        self.refreshPercent = refreshPercent
        windows = Period.allCases.compactMap { period in limits[period].map { Window(period: period, limit: $0) } }
    }

    /// The requests counted in each window, and the windows' starts in unix seconds.
    var counts: [(period: Period, start: Int, used: Int)] { windows.map { ($0.period, $0.start, $0.used) } }

    /// Returns the quota that has no room for a request of `weight`, the one with the longest wait; nil if all have.
    func spent(_ weight: Int, for purpose: FetchPurpose = .client, at now: Int) -> SpentQuota? {
        let waits = windows.compactMap { window -> SpentQuota? in
            var window = window
            window.advance(to: now)
            let limit = purpose == .refresh ? window.limit : window.limit - window.limit * refreshPercent / 100
            // A request above the limit takes all of it.
            guard weight > 0, window.used + min(weight, limit) > limit else { return nil }
            let end = window.period.window(at: window.start).upperBound
            return SpentQuota(limit: window.limit, seconds: max(1, end - now))
        }
        return waits.max { $0.seconds < $1.seconds }
    }

    enum Outcome: Sendable, Equatable {
        /// The request may be made; `exhausted` is the quota that has no room for another one like it.
        case admitted(exhausted: SpentQuota?)
        case refused(SpentQuota)
    }

    /// Counts a request of `weight`, unless it is refused.
    mutating func take(_ weight: Int, for purpose: FetchPurpose = .client, at now: Int) -> Outcome {
        for index in windows.indices { windows[index].advance(to: now) }
        if let quota = spent(weight, for: purpose, at: now) { return .refused(quota) }
        for index in windows.indices { windows[index].used += min(weight, windows[index].limit) }
        return .admitted(exhausted: spent(weight, for: purpose, at: now))
    }

    /// Counts requests of `weight` that were made already, so that a limit may be exceeded.
    /// - Returns: The quota that has no room for another one, if there was room before.
    mutating func add(
        _ count: Int, of weight: Int, for purpose: FetchPurpose = .client, at now: Int
    ) -> SpentQuota? {
        for index in windows.indices { windows[index].advance(to: now) }
        let wasSpent = spent(weight, for: purpose, at: now) != nil
        for index in windows.indices { windows[index].used += count * min(weight, windows[index].limit) }
        return wasSpent ? nil : spent(weight, for: purpose, at: now)
    }

    /// Takes over what another budget, such as one of an earlier process, has counted.
    mutating func restore(_ counts: [(period: Period, start: Int, used: Int)]) {
        for count in counts {
            guard let index = windows.firstIndex(where: { $0.period == count.period }) else { continue }
            // A file can state any number; one above the limit means no more than the limit.
            (windows[index].start, windows[index].used) = (count.start, max(0, min(count.used, windows[index].limit)))
        }
    }
}
