import CivilDates
import Records
import Settings

/// The requests that an upstream may get in each second, minute, hour, day and month of UTC; a value without a clock.
package struct QuotaBudget: Sendable {
    package enum Period: String, FieldValue, CaseIterable, Sendable {
        case second, minute, hour, day, month

        /// Returns the period that contains `now`, in unix seconds.
        package func window(at now: Int) -> Range<Int> {
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

        /// Whether the period that began at `start` lasts at `now`, both in unix seconds.
        ///
        /// A clock that goes back a little does not end one: the requests since then would count twice.
        func lasts(from start: Int, at now: Int) -> Bool {
            let current = window(at: now)
            return current.lowerBound <= start && start <= now + current.count
        }
    }

    private struct Window: Sendable {
        let period: Period
        /// Nil if the period had a limit once, and may get one again.
        var limit: Int?
        var start = 0
        var used = 0
        /// Whether the log has a warning about the use in this window.
        var hasWarned = false

        /// Starts a new window if its time has come.
        mutating func advance(to now: Int) {
            guard !period.lasts(from: start, at: now) else { return }
            (start, used, hasWarned) = (period.window(at: now).lowerBound, 0, false)
        }

        /// The used part of the limit; nil without a limit.
        var use: QuotaUse? {
            limit.map {
                QuotaUse(period: period, limit: $0, used: used, renewal: period.window(at: start).upperBound)
            }
        }
    }

    /// The most requests that a saved count can have: the largest limit.
    private static let maximumCount = 1_000_000_000

    private var windows: [Window]

    /// A budget with these limits, all at least 1; without any it is never spent.
    package init(_ limits: [Period: Int] = [:]) {
        windows = Period.allCases.compactMap { period in limits[period].map { Window(period: period, limit: $0) } }
    }

    /// The requests counted in each window, and the windows' starts in unix seconds.
    package var counts: [(period: Period, start: Int, used: Int)] { windows.map { ($0.period, $0.start, $0.used) } }

    /// Returns the quota that has no room for a request of `weight`, the one with the longest wait; nil if all have.
    func spent(_ weight: Int, at now: Int) -> SpentQuota? {
        let waits = windows.compactMap { window -> SpentQuota? in
            guard let limit = window.limit else { return nil }
            var window = window
            window.advance(to: now)
            // A request above the limit takes all of it.
            guard weight > 0, window.used + min(weight, limit) > limit else { return nil }
            let end = window.period.window(at: window.start).upperBound
            return SpentQuota(limit: limit, seconds: max(1, end - now), period: window.period, renewal: end)
        }
        return waits.max { $0.seconds < $1.seconds }
    }

    /// Returns what has been used of each limit.
    func uses(at now: Int) -> [QuotaUse] {
        windows.compactMap { window in
            var window = window
            window.advance(to: now)
            return window.use
        }
    }

    /// Returns the limits that are nearly used up, each once in its period; a second would be over before anybody read it.
    mutating func takeWarnings() -> [QuotaUse] {
        windows.indices.compactMap { index in
            let window = windows[index]
            guard window.period != .second, !window.hasWarned, let use = window.use, use.isNearlySpent else {
                return nil
            }
            windows[index].hasWarned = true
            return use.left > 0 ? use : nil
        }
    }

    enum Outcome: Sendable, Equatable {
        /// The request may be made; `exhausted` is the quota that has no room for another one like it.
        case admitted(exhausted: SpentQuota?)
        case refused(SpentQuota)
    }

    /// Counts a request of `weight`, unless it is refused.
    mutating func take(_ weight: Int, at now: Int) -> Outcome {
        for index in windows.indices { windows[index].advance(to: now) }
        if let quota = spent(weight, at: now) { return .refused(quota) }
        for index in windows.indices { windows[index].used += weight }
        return .admitted(exhausted: spent(weight, at: now))
    }

    /// Counts requests of `weight` that were made already, so that a limit may be exceeded.
    /// - Returns: The quota that has no room for another one, if there was room before.
    mutating func add(_ count: Int, of weight: Int, at now: Int) -> SpentQuota? {
        for index in windows.indices { windows[index].advance(to: now) }
        let wasSpent = spent(weight, at: now) != nil
        for index in windows.indices { windows[index].used += count * weight }
        return wasSpent ? nil : spent(weight, at: now)
    }

    /// Takes over at `now` what all replicas have used of each limit, in the order of `limits`.
    mutating func note(_ used: [Int], at now: Int) {
        let limited = windows.indices.filter { windows[$0].limit != nil }
        for (index, used) in zip(limited, used) {
            windows[index].advance(to: now)
            windows[index].used = used
        }
    }

    /// Takes over what another budget, such as one of an earlier process, has counted, also in periods without a limit.
    package mutating func restore(_ counts: [(period: Period, start: Int, used: Int)]) {
        for count in counts {
            // A file can state any number.
            let used = max(0, min(count.used, Self.maximumCount))
            if let index = windows.firstIndex(where: { $0.period == count.period }) {
                (windows[index].start, windows[index].used) = (count.start, used)
                windows[index].hasWarned = windows[index].limit.map { QuotaUse.isMost(used, of: $0) } ?? false
            } else {
                windows.append(Window(period: count.period, start: count.start, used: used))
            }
        }
    }
}

// What replicas share.
extension QuotaBudget {
    /// The limits with their periods.
    var limits: [(period: Period, limit: Int)] {
        windows.compactMap { window in window.limit.map { (window.period, $0) } }
    }

    /// Returns the weight that a request takes: one above a limit takes all of the limit.
    func possible(_ weight: Int) -> Int {
        limits.reduce(weight) { min($0, $1.limit) }
    }
}

extension QuotaConfiguration {
    var budget: QuotaBudget {
        let limits: [QuotaBudget.Period: Int?] = [
            .second: perSecond, .minute: perMinute, .hour: perHour, .day: perDay, .month: perMonth,
        ]
        return QuotaBudget(limits.compactMapValues(\.self))
    }
}

/// The requests that an upstream has got in the current period of its quota.
package struct QuotaUse: Sendable, Equatable {
    /// From this part of the limit on, in percent, the log warns.
    private static let warningPercent = 80

    package let period: QuotaBudget.Period
    package let limit: Int
    package let used: Int
    /// When the count begins anew, in unix seconds.
    package let renewal: Int

    /// The requests that are left.
    package var left: Int { max(0, limit - used) }

    /// The same use with so many requests more.
    func adding(_ requests: Int) -> QuotaUse {
        QuotaUse(period: period, limit: limit, used: used + requests, renewal: renewal)
    }

    /// Whether so little is left that an operator should know.
    var isNearlySpent: Bool { Self.isMost(used, of: limit) }

    /// Whether so little is left after `used` requests.
    static func isMost(_ used: Int, of limit: Int) -> Bool { used * 100 >= limit * warningPercent }
}

extension QuotaBudget.Period {
    /// Returns the limit of the period in words: `1,000 requests a day`.
    func text(_ limit: Int) -> String {
        var digits = String(limit)
        for place in stride(from: digits.count - 3, to: 0, by: -3) {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
        }
        return "\(digits) \(limit == 1 ? "request" : "requests") \(self == .hour ? "an" : "a") \(rawValue)"
    }
}

/// A moment in unix seconds as ISO 8601: `2026-11-22T08:15:30Z`.
package func timestamp(_ seconds: Int) -> String { ISO8601Timestamp.format(secondsSinceEpoch: Double(seconds)) ?? "" }
