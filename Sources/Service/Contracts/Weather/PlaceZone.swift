import API

/// The time zone of a place whose upstream names none.
struct PlaceZone {
    /// The IANA name.
    let name: String
    let clock: LocalClock
    /// Whether nobody named the zone, so that it is the sun's time of the longitude.
    let isApproximate: Bool

    /// The zone called `name`, if the system knows it, or else `Etc/GMT±n`, whose sign is that of the west: by the hours of
    /// `offset`, or by the longitude in degrees.
    init(_ name: String?, offset: Double? = nil, longitude: Double) {
        if let name, let rules = ZoneRules.named(name) {
            (self.name, isApproximate) = (name, false)
            clock = LocalClock(offset: nil, rules: rules)
            return
        }
        let nautical = max(-180, min(180, longitude.isNaN ? 0 : longitude)) / 15
        let hours = Int(max(-14, min(14, offset ?? nautical)).rounded())
        self.name = hours == 0 ? "Etc/GMT" : "Etc/GMT" + (hours > 0 ? "-" : "+") + "\(hours.magnitude)"
        let seconds = offset.map { Int(max(-15, min(15, $0)) * 3600) } ?? hours * 3600
        clock = LocalClock(offset: nil, rules: ZoneRules(offset: seconds))
        isApproximate = true
    }

    /// Returns the start of the local day that contains `moment`.
    func midnight(before moment: Double) -> Double {
        clock.day(at: moment)?.lowerBound ?? (moment / 86400).rounded(.down) * 86400
    }

    /// Returns the midnight some local days after the midnight `start`.
    func midnight(days: Int, after start: Double) -> Double {
        clock.moment(atHour: Double(days) * 24, ofDayFrom: start)
    }

    /// Returns six in the morning of the day that starts at `midnight`: the end of the night before.
    func morning(after midnight: Double) -> Double { clock.moment(atHour: 6, ofDayFrom: midnight) }
}
