/// A system of units: which unit each dimension is measured in.
///
/// The names and choices are Dark Sky's; `uk` is the one that it had before `uk2`, and that old documents still name.
///
///     UnitSystem(rawValue: "uk2")  // .uk2
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

    /// The way to another system; nil where it is the same one.
    ///
    /// Temperatures, speeds and distances are rounded to two decimals, the rest to four.
    ///
    ///     style.conversion = UnitSystem.us.conversion(to: .si)
    public func conversion(to other: UnitSystem) -> Conversion? {
        self == other ? nil : Self.conversions[index][other.index]
    }

    /// By the indices of the two systems.
    private static let conversions = allCases.map { from in allCases.map { Conversion(from: from, to: $0) } }

    /// The place in `allCases`.
    var index: Int {
        switch self {
        case .si: 0
        case .ca: 1
        case .uk2: 2
        case .uk: 3
        case .us: 4
        }
    }

    /// How a number of this system becomes one of `si`.
    fileprivate func unit(of dimension: Dimension) -> Unit {
        switch (dimension, self) {
        case (.temperature, .us): Unit(scale: 5 / 9, offset: -160 / 9)
        case (.speed, .ca): Unit(scale: 1 / 3.6)
        case (.speed, .uk2), (.speed, .uk), (.speed, .us): Unit(scale: 0.44704)
        case (.distance, .uk2), (.distance, .us): Unit(scale: 1.609344)
        case (.rate, .us): Unit(scale: 25.4)
        case (.depth, .us): Unit(scale: 2.54)
        default: Unit(scale: 1)
        }
    }
}

/// A unit as the way from it to the unit of `si`: `value * scale + offset`.
private struct Unit: Equatable {
    let scale: Double
    var offset = 0.0
}

extension Conversion {
    /// A step for each dimension that the two systems measure differently.
    fileprivate init(from source: UnitSystem, to target: UnitSystem) {
        var steps: [Dimension: Step] = [:]
        for dimension in Dimension.allCases {
            let (from, to) = (source.unit(of: dimension), target.unit(of: dimension))
            if from == to { continue }
            steps[dimension] = Step(
                scale: from.scale / to.scale, offset: (from.offset - to.offset) / to.scale,
                places: [.rate, .depth].contains(dimension) ? 4 : 2)
        }
        self.init(steps)
    }
}
