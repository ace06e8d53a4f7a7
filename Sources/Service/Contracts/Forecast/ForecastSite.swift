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

extension Dialect {
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
    /// The range of moments that the requested time can mean; nil for a request for now.
    fileprivate var possibleTimes: ClosedRange<Int64>? {
        switch time {
        case nil: return nil
        case .unix(let seconds): return seconds...seconds
        case .local(let text):
            // Zones are up to four hours off the sun's time, and a day more at the date line.
            guard let date = OpenMeteo.seconds(ofLocal: text) else { return nil }
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
