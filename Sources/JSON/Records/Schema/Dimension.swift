/// A system of units, by its number in the ``Dimension/units`` of every dimension.
///
///     extension Units { static let imperial = Units(number: 1) }
public struct Units: Hashable, Sendable {
    /// The number; 0 is the system in which tables state their ranges.
    public let number: Int

    /// The system of the given number.
    public init(number: Int) { self.number = number }

    /// The system in which tables state their ranges.
    public static let base = Units(number: 0)
}

extension Units {
    /// What a number measures, with its unit in each system of units that documents use.
    ///
    ///     // m/s and mph
    ///     let speed = Units.Dimension("speed", number: 0, units: [.init(), .init(scale: 0.44704)], places: 2)
    public struct Dimension: Sendable {
        /// A unit by its relation to the base unit: `value * scale + offset` is the value in the base unit.
        public struct Unit: Equatable, Sendable {
            let scale: Double
            let offset: Double

            /// A unit of the given relation; the base unit itself by default.
            public init(scale: Double = 1, offset: Double = 0) {
                self.scale = scale
                self.offset = offset
            }
        }

        /// The name, as schemas show it.
        public let name: String
        /// The number that tells the dimension from the others: 0 to 127.
        public let number: Int8
        /// The units, by the number of their system; the first one is the base unit.
        public let units: [Unit]
        /// How many decimals a converted number keeps: 0 to 15.
        public let places: Int

        /// A dimension with its units in the order of the systems' numbers.
        public init(_ name: String, number: Int8, units: [Unit], places: Int) {
            self.name = name
            self.number = number
            self.units = units
            self.places = places
        }

        /// The step from a unit of one system to that of another; nil if both measure alike.
        func step(from source: Units, to target: Units) -> Conversion.Step? {
            let (from, to) = (unit(in: source), unit(in: target))
            if from == to { return nil }
            return Conversion.Step(
                scale: from.scale / to.scale, offset: (from.offset - to.offset) / to.scale, places: places)
        }

        /// Systems that the dimension does not list measure it in the base unit.
        private func unit(in system: Units) -> Unit {
            units.indices.contains(system.number) ? units[system.number] : Unit()
        }
    }
}

extension Units.Dimension: Hashable {
    /// Dimensions are equal if their numbers are.
    public static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
