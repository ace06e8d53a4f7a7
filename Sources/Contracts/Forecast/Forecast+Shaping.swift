import JSONText
import LenientCoding

extension Forecast {
    /// The units that the flags name; `us` where they name none that is known.
    var units: UnitSystem {
        if case .known(let units) = flags?.units { units } else { .us }
    }

    /// Writes the document in the form that `shaping` asks for.
    func write(to writer: inout JSONWriter, shaping: Shaping) {
        var forecast = self
        var style = WritingStyle()
        style.dates = shaping.dates
        style.selection = shaping.selection
        if let target = shaping.units.map(system) {
            style.conversion = units.conversion(to: target)
            var flags = flags ?? Flags()
            flags.units = .known(target)
            forecast.flags = flags
        }
        if shaping.spellsFlagsAsDarkSky { forecast.flags = forecast.flags?.spelledAsDarkSky }
        forecast.write(to: &writer, style: style)
    }

    private func system(_ units: Shaping.Units) -> UnitSystem {
        switch units {
        case .system(let system): system
        case .automatic: UnitSystem(inTimeZone: timezone)
        }
    }
}

extension Shaping {
    /// The fields that are left; nil for all.
    fileprivate var selection: FieldSelection? {
        if excluded.isEmpty { return fields }
        let rest = FieldSelection(of: Forecast.self, without: Set(excluded.map(\.rawValue)))
        return fields?.intersection(rest) ?? rest
    }
}
