import API

/// How far the times of a sample's document move.
enum SampleShift {
    case seconds(Int)
    /// Whole days of a zone, some of which have 23 or 25 hours: a time of the clock stays the same.
    case days(Int, ZoneRules)

    /// The shift from `clock` to `now`, both in unix seconds, in whole steps of some seconds.
    ///
    /// A step of a day leads to the local date, if there is a zone.
    init(from clock: Int, to now: Int, step: Int, zone: ZoneRules?) {
        if step == 86_400, let zone {
            let days = zone.date(at: now) - zone.date(at: clock)
            // An hour that clocks show twice stays the one that it is.
            self = days == 0 ? .seconds(0) : .days(days, zone)
        } else {
            let step = max(1, step)
            self = .seconds((now - clock) / step * step)
        }
    }

    func callAsFunction(_ time: Int) -> Int {
        switch self {
        case .seconds(let seconds): time + seconds
        case .days(let days, let zone):
            Int(zone.moment(ofLocal: Double(time + days * 86_400) + zone.offset(at: Double(time))))
        }
    }
}

extension ZoneRules {
    /// Returns the local date at a moment, in days since 1970-01-01.
    fileprivate func date(at moment: Int) -> Int {
        Int(((Double(moment) + offset(at: Double(moment))) / 86_400).rounded(.down))
    }
}
