import JSONText
public import LenientCoding

/// The parts of a forecast that a client wants, and their form.
public struct Shaping: Sendable {
    /// The units of an answer.
    public enum Units: Sendable, Equatable {
        /// The units of a system.
        case system(UnitSystem)
        /// The units of the country of the forecast's time zone, as Dark Sky's `auto`.
        case automatic
    }

    /// The units of the answer; nil for those of the document.
    public var units: Units?
    /// How dates are written.
    public var dates = DateForm.unix
    /// The blocks to omit.
    public var excluded: Set<ForecastBlock> = []
    /// The fields to keep; nil for all.
    public var fields: FieldSelection?
    /// Dark Sky's form, for its clients; nil for the contract's.
    public var darkSky: DarkSkyForm?

    /// All fields, in the document's units.
    public init() {}

    /// The fields that `fields` and `darkSky` keep and `excluded` does not omit; nil for all.
    fileprivate var selection: FieldSelection? {
        let rest =
            excluded.isEmpty
            ? nil : FieldSelection(of: Forecast.self, without: Set(excluded.map(\.rawValue)))
        return [fields, darkSky?.selection, rest].compactMap(\.self).reduce(nil) { $0?.intersection($1) ?? $1 }
    }
}

/// The parts of a forecast that `exclude` can name.
public enum ForecastBlock: String, Sendable, CaseIterable {
    case currently, minutely, hourly, daily, dayNight, alerts, flags
}

extension Forecast {
    /// Writes the forecast in the form that `shaping` describes.
    func write(to writer: inout JSONWriter, shaping: Shaping) {
        var forecast = self
        var style = WritingStyle()
        style.dates = shaping.dates
        style.selection = shaping.selection
        let target = shaping.units.map(system)
        if let form = shaping.darkSky { forecast = inForm(form, for: target ?? units) }
        if let target {
            style.conversion = units.conversion(to: target)
            if forecast.flags == nil { forecast.flags = Flags() }
            forecast.flags?.units = .known(target)
        }
        forecast.write(to: &writer, style: style)
    }

    private func system(_ units: Shaping.Units) -> UnitSystem {
        switch units {
        case .system(let system): system
        case .automatic: UnitSystem(inTimeZone: timezone)
        }
    }
}
