import LenientCoding

/// The local time of an answer's place, as the upstream writes it and as it really is.
struct LocalClock {
    /// The seconds ahead of UTC of all local times of the answer, which is the offset of its own time; nil if unknown.
    let offset: Double?
    /// The rules of the place's zone; nil if the system does not know it, and then `offset` counts.
    let rules: ZoneRules?

    /// Returns the real seconds ahead of UTC at a moment, or nil if they are not known.
    func offset(at moment: Double) -> Double? { rules?.offset(at: moment) ?? offset }

    /// Returns the moment of a client's local time, or nil if it is invalid or the zone is not known.
    func moment(_ text: String) -> Double? {
        ISO8601.date(from: text).flatMap { moment(ofLocal: UnixSeconds($0).seconds) }
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

    /// Returns the moment some hours of the clock after the midnight at `start`; of another time, some real hours.
    func moment(atHour hour: Double, ofDayFrom start: Double) -> Double {
        guard let offset = offset(at: start), day(at: start)?.lowerBound == start else {
            return start + hour * 3600
        }
        let midnight = ((start + offset) / 86400).rounded(.down) * 86400
        return moment(ofLocal: midnight + hour * 3600) ?? start + hour * 3600
    }
}
