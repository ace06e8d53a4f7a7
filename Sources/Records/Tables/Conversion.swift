/// The way from one system of units to another, a step for each dimension that differs.
///
///     let toCelsius = Conversion([.temperature: .init(scale: 5 / 9, offset: -160 / 9, places: 2)])
public struct Conversion: Sendable {
    /// `value * scale + offset`, rounded to `places` decimals.
    ///
    ///     let toCelsius = Conversion.Step(scale: 5 / 9, offset: -160 / 9, places: 2)  // 50 °F is 10 °C
    public struct Step: Sendable {
        /// The factor.
        ///
        ///     Conversion.Step(scale: 0.44704, places: 2).scale  // 0.44704
        public var scale: Double
        /// What is added after.
        ///
        ///     Conversion.Step(scale: 0.44704, places: 2).offset  // 0.0
        public var offset: Double
        /// How many decimals are kept: 0…15.
        ///
        ///     Conversion.Step(scale: 0.44704, places: 2).places  // 2
        public var places: Int

        /// A step of the given factor, sum and decimals.
        ///
        ///     let toMetresPerSecond = Conversion.Step(scale: 0.44704, places: 2)
        public init(scale: Double, offset: Double = 0, places: Int) {
            self.scale = scale
            self.offset = offset
            self.places = places
        }

        /// The value in the other unit.
        package func callAsFunction(_ value: Double) -> Double {
            let converted = exact(value)
            let unit = Conversion.powersOfTen[max(0, min(places, Conversion.powersOfTen.count - 1))]
            let rounded = (converted * unit).rounded() / unit
            // Numbers that large have no decimals to round.
            return rounded.isFinite ? (rounded == 0 ? 0 : rounded) : converted
        }

        /// The numbers that those of `range` become, rounded or not.
        func callAsFunction(_ range: ClosedRange<Double>) -> ClosedRange<Double> {
            let (low, high) = (range.lowerBound, range.upperBound)
            return min(exact(low), self(low))...max(exact(high), self(high))
        }

        private func exact(_ value: Double) -> Double { value * scale + offset }
    }

    static let powersOfTen: [Double] = (0...15).map { (0..<$0).reduce(1.0) { product, _ in product * 10 } }

    /// By the index of the dimension.
    private let steps: [Step?]

    /// A conversion of these steps; what they do not name stays.
    ///
    ///     let metric = Conversion([
    ///         .speed: Conversion.Step(scale: 0.44704, places: 2), .depth: Conversion.Step(scale: 2.54, places: 4),
    ///     ])
    public init(_ steps: [Dimension: Step]) { self.steps = Dimension.allCases.map { steps[$0] } }

    /// The step of a dimension; nil where its numbers stay.
    subscript(_ dimension: Dimension) -> Step? { steps[dimension.index] }
}
