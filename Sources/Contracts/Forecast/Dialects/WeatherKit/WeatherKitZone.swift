import LenientCoding

extension WeatherKit {
    /// The time zone of a request, which its answer does not name.
    struct Zone {
        /// The IANA name.
        let name: String
        let clock: OpenMeteo.Clock
        /// Whether nobody named the zone, so that it is the sun's time of the longitude.
        let isApproximate: Bool

        /// The zone that `query` names, or else `Etc/GMT±n` by the longitude, whose sign is that of the west.
        init(for query: ForecastQuery?, longitude: Double) {
            if let name = query?.timeZone, let rules = ZoneRules.named(name) {
                self.init(name: name, rules: rules, isApproximate: false)
                return
            }
            let longitude = query?.longitude ?? longitude
            let hours = Int((max(-180, min(180, longitude.isNaN ? 0 : longitude)) / 15).rounded())
            let name = hours == 0 ? "Etc/GMT" : "Etc/GMT" + (hours > 0 ? "-" : "+") + "\(hours.magnitude)"
            self.init(name: name, rules: ZoneRules(offset: hours * 3600), isApproximate: true)
        }

        private init(name: String, rules: ZoneRules, isApproximate: Bool) {
            (self.name, self.isApproximate) = (name, isApproximate)
            clock = OpenMeteo.Clock(offset: nil, rules: rules)
        }

        /// Returns the requested moment in unix seconds, of a year that can be written; nil if its local time is invalid.
        func moment(_ moment: ForecastQuery.Moment) -> Double? {
            let seconds: Double? =
                switch moment {
                case .unix(let seconds): Double(seconds)
                case .local(let text): clock.moment(text)
                }
            return seconds.map { max(-62e9, min(253e9, $0)) }
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
}
