public import LenientCoding

/// What a client wants of a forecast's whole document, and in which form.
public struct Shaping: Sendable {
    /// The units of a client's answer.
    public enum Units: Sendable, Equatable {
        /// Those of a system.
        case system(UnitSystem)
        /// Those of the country that the place lies in, told by its time zone.
        case automatic
    }

    /// The units of the answer; nil for those of the document.
    public var units: Units?
    /// How dates are written.
    public var dates = DateForm.unix
    /// The blocks that are left out.
    public var excluded: Set<ForecastBlock> = []
    /// The fields that are kept; nil for all.
    public var fields: FieldSelection?
    /// Whether flags are spelled as Dark Sky did (`nearest-station`).
    public var spellsFlagsAsDarkSky = false

    /// The document as it is.
    public init() {}
}

/// The parts of a forecast that `exclude` names.
public enum ForecastBlock: String, Sendable, CaseIterable {
    case currently, minutely, hourly, daily, dayNight, alerts, flags
}
