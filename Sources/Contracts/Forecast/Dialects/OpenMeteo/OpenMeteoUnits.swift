import LenientCoding

extension OpenMeteo {
    /// What a column measures, which says in what units it can come.
    enum Measure: Sendable {
        case temperature, speed, distance, pressure, fraction, direction, radiation, energy
        /// How much water falls in an hour; how much lies of water and of snow.
        case rate, water, snow
        /// A number without unit.
        case plain
    }

    /// The way from a unit to the contract's own.
    enum UnitRule: Sendable {
        case asItIs
        case converted(Conversion.Step)

        /// Nil where numbers stay.
        var step: Conversion.Step? {
            if case .converted(let step) = self { step } else { nil }
        }

        /// The rule for sums over so many hours of what is told by the hour.
        func divided(byHours hours: Double) -> UnitRule {
            if hours == 1 { return self }
            return .converted(Conversion.Step(scale: (step?.scale ?? 1) / hours, places: 4))
        }

        fileprivate static func scale(_ scale: Double, _ offset: Double = 0, places: Int = 2) -> UnitRule {
            .converted(Conversion.Step(scale: scale, offset: offset, places: places))
        }
    }
}

extension OpenMeteo.Measure {
    /// The rule of a unit, called as Open-Meteo calls it; nil for one that is not known.
    func rule(of unit: String) -> OpenMeteo.UnitRule? { self == .plain ? .asItIs : Self.rules[self]?[unit] }

    /// The rule where no unit is named: Open-Meteo's own choice, unless it is asked for another.
    var defaultRule: OpenMeteo.UnitRule {
        switch self {
        case .speed: .scale(1 / 3.6)
        case .distance: .scale(0.001, places: 3)
        case .fraction: .scale(0.01, places: 4)
        case .water: .scale(0.1, places: 4)
        default: .asItIs
        }
    }

    /// One line a measure.
    ///
    /// Decimal steps keep every digit that there is; others round as `UnitSystem` does.
    private static let rules: [OpenMeteo.Measure: [String: OpenMeteo.UnitRule]] = [
        .temperature: ["°C": .asItIs, "°F": .scale(5 / 9, -160 / 9), "K": .scale(1, -273.15)],
        .speed: [
            "m/s": .asItIs, "km/h": .scale(1 / 3.6), "mp/h": .scale(0.44704), "mph": .scale(0.44704),
            "kn": .scale(1852 / 3600),
        ],
        .distance: [
            "km": .asItIs, "m": .scale(0.001, places: 3), "ft": .scale(0.000_304_8), "mi": .scale(1.609_344),
        ],
        .pressure: ["hPa": .asItIs, "Pa": .scale(0.01, places: 4)],
        .fraction: ["%": .scale(0.01, places: 4)],
        .direction: ["°": .asItIs],
        .radiation: ["W/m²": .asItIs],
        .energy: ["J/kg": .asItIs],
        .rate: ["mm": .asItIs, "cm": .scale(10, places: 4), "inch": .scale(25.4, places: 4)],
        .water: ["cm": .asItIs, "mm": .scale(0.1, places: 4), "inch": .scale(2.54, places: 4)],
        .snow: ["cm": .asItIs, "mm": .scale(0.1, places: 4), "inch": .scale(2.54, places: 4)],
    ]
}
