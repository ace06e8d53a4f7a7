import JSONText

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
            /// The name, as schemas show it.
            public let name: String
            let scale: Double
            let offset: Double

            /// A unit of the given relation; the base unit itself by default.
            public init(_ name: String = "", scale: Double = 1, offset: Double = 0) {
                self.name = name
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
        func unit(in system: Units) -> Unit {
            units.indices.contains(system.number) ? units[system.number] : units.first ?? Unit()
        }
    }
}

extension Units.Dimension: Hashable {
    /// Dimensions are equal if their numbers are.
    public static func == (left: Self, right: Self) -> Bool { left.number == right.number }

    /// Hashes the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The conversion from one system of units to another: a step for each dimension that the two measure differently.
///
///     let toMetric = Conversion([.speed: Conversion.Step(scale: 0.44704, places: 2)])
///     forecast.write(to: &writer, style: WritingStyle(conversion: toMetric))
public struct Conversion: Sendable {
    /// `value * scale + offset`, rounded to `places` decimals.
    ///
    ///     let toCelsius = Conversion.Step(scale: 5 / 9, offset: -160 / 9, places: 2)  // 50 °F is 10 °C
    public struct Step: Sendable {
        /// The factor.
        public var scale: Double
        /// The term that is added to the product.
        public var offset: Double
        /// How many decimals are kept: 0 to 15.
        public var places: Int

        /// A step of the given factor, term and decimals.
        public init(scale: Double, offset: Double = 0, places: Int) {
            self.scale = scale
            self.offset = offset
            self.places = places
        }

        /// Returns the value in the other unit.
        package func callAsFunction(_ value: Double) -> Double {
            let converted = exact(value)
            let unit = Conversion.powersOfTen[max(0, min(places, Conversion.powersOfTen.count - 1))]
            let rounded = (converted * unit).rounded() / unit
            // The product overflows for numbers so large that they have no decimals to round.
            return rounded.isFinite ? (rounded == 0 ? 0 : rounded) : converted
        }

        /// Writes the value in the other unit.
        @inline(__always)
        func write(_ value: Double, to writer: inout JSONWriter) {
            if !writer.write(exact(value), places: places) { writer.write(self(value)) }
        }

        /// Returns the range that holds every converted number of `range`, rounded or not.
        func callAsFunction(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
            let (low, high) = (range.lowerBound, range.upperBound)
            return min(exact(low), self(low))...max(exact(high), self(high))
        }

        private func exact(_ value: Double) -> Double { value * scale + offset }
    }

    static let powersOfTen: [Double] = (0...15).map { (0..<$0).reduce(1.0) { product, _ in product * 10 } }

    /// The steps by the dimension's number.
    private let steps: [Step?]

    /// A conversion of the given steps; numbers of other dimensions stay as they are.
    public init(_ steps: [Units.Dimension: Step]) {
        let count = steps.keys.map { Int($0.number) + 1 }.max() ?? 0
        var table = [Step?](repeating: nil, count: count)
        for (dimension, step) in steps { table[Int(dimension.number)] = step }
        self.steps = table
    }

    /// The conversion of the given dimensions from one system to another; nil if the systems are the same.
    public init?(from source: Units, to target: Units, of dimensions: [Units.Dimension]) {
        if source == target { return nil }
        self.init(
            dimensions.reduce(into: [:]) { steps, dimension in
                steps[dimension] = dimension.step(from: source, to: target)
            })
    }

    /// The step of the dimension with this number; nil if its numbers stay as they are, or if `number` is negative.
    subscript(number: Int8) -> Step? { steps.indices.contains(Int(number)) ? steps[Int(number)] : nil }

    /// The step of a dimension; nil if its numbers stay as they are.
    package subscript(dimension: Units.Dimension) -> Step? { self[dimension.number] }
}
