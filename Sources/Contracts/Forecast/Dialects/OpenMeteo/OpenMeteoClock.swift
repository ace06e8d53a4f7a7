import JSONText
import LenientCoding

extension OpenMeteo {
    /// The local time of an answer's place, as the upstream writes it and as it really is.
    struct Clock {
        /// The seconds ahead of UTC of all local times of the answer, which is the offset of its own time; nil if unknown.
        let offset: Double?
        /// The rules of the place's zone; nil if the system does not know it, and then `offset` counts.
        let rules: ZoneRules?

        /// Reads a time: unix seconds, or ISO 8601 in local time unless it names a zone.
        ///
        /// Local time without a known offset is mistyped.
        func read(
            _ node: JSONNode, as field: SchemaField<UnixSeconds>, _ reader: inout RecordReader
        ) -> UnixSeconds? {
            if let seconds = node.double, field.accepts(seconds) { return UnixSeconds(seconds) }
            guard let text = node.string, let date = ISO8601.date(from: text) else {
                return UnixSeconds.read(node, field.rules, &reader)
            }
            var seconds = UnixSeconds(date).seconds
            if Self.isLocal(text) {
                guard let offset else { return reader.fail(.mistyped) }
                seconds -= offset
            }
            return field.accepts(seconds) ? UnixSeconds(seconds) : reader.fail(.implausible)
        }

        /// Returns the real seconds ahead of UTC at a moment, or nil if they are not known.
        func offset(at moment: Double) -> Double? { rules?.offset(at: moment) ?? offset }

        /// Returns the moment of a client's local time, or nil if it is invalid or the zone is not known.
        func moment(_ text: String) -> Double? {
            ISO8601.date(from: text).flatMap { moment(ofLocal: UnixSeconds($0).seconds) }
        }

        /// Returns the moment at which clocks show `local`, in seconds since 1970 as if they were in UTC.
        private func moment(ofLocal local: Double) -> Double? {
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

        /// Returns the real midnight of the day that the upstream starts at `label`; another time is returned unchanged.
        ///
        /// Open-Meteo's days start at midnight by the offset of now, also in the other season
        /// (open-meteo/open-meteo, `Sources/App/Helper/ForecastapiQuery.swift`, `TimezoneWithOffset`).
        func midnight(ofDayLabelled label: Double) -> Double {
            guard let offset, (label + offset).truncatingRemainder(dividingBy: 86400) == 0 else { return label }
            return moment(ofLocal: label + offset) ?? label
        }

        /// Whether the day that the upstream starts at `label` exists: no clock showed 2011-12-30 in Samoa.
        func exists(dayLabelled label: Double) -> Bool {
            guard let offset, let rules, (label + offset).truncatingRemainder(dividingBy: 86400) == 0 else {
                return true
            }
            let start = rules.moment(ofLocal: label + offset)
            return ((start + rules.offset(at: start)) / 86400).rounded(.down) * 86400 == label + offset
        }

        /// Returns the moment of the values that the upstream labels with `label` in an hourly block.
        ///
        /// In zones with half and quarter hours the values are those of full hours in UTC, but the labels are full local
        /// hours (`hourlyRead` and `hourlyDisplay` of the same file).
        func hour(labelled label: Double) -> Double {
            guard let rest = offset?.truncatingRemainder(dividingBy: 3600), rest != 0 else { return label }
            return (label + rest).truncatingRemainder(dividingBy: 3600) == 0 ? label + rest : label
        }

        /// Whether a valid date has no zone: a date without a time, or a text that becomes valid with one more zone.
        private static func isLocal(_ text: String) -> Bool {
            text.utf8.count == 10 || ISO8601.date(from: text + "Z") != nil
        }
    }
}
