public import LenientCoding

/// A system of units: the unit in which each dimension is measured.
///
/// The names and choices are Dark Sky's. Old documents name `uk`, which `uk2` replaced.
public enum UnitSystem: String, Sendable, CaseIterable {
    /// °C, m/s, km, mm/h, cm.
    case si
    /// As `si`, with km/h.
    case ca
    /// As `si`, with mph and miles.
    case uk2
    /// As `si`, with mph.
    case uk
    /// °F, mph, miles, in/h, in.
    case us

    /// The system's number in the tables of units: its place in `allCases`.
    public var units: Units {
        switch self {
        case .si: .si
        case .ca: Units(number: 1)
        case .uk2: Units(number: 2)
        case .uk: Units(number: 3)
        case .us: .us
        }
    }

    /// The conversion to another system; nil if it is the same one.
    ///
    /// Temperatures, speeds and distances are rounded to two decimals, rates and depths to four.
    public func conversion(to other: UnitSystem) -> Conversion? {
        self == other ? nil : Self.conversions[units.number][other.units.number]
    }

    /// The conversions by the numbers of the two systems.
    private static let conversions = allCases.map { from in
        allCases.map { Conversion(from: from.units, to: $0.units, of: Dimension.ofWeather) }
    }
}

extension Units {
    /// The units of `UnitSystem.si`, in which the tables state their ranges.
    public static let si = base
    /// The units of `UnitSystem.us`.
    public static let us = Units(number: 4)
}
