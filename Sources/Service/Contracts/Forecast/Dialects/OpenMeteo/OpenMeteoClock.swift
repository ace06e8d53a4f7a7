import JSONText
import LenientCoding

// The times of Open-Meteo's answers, which follow the offset of now.
extension LocalClock {
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
