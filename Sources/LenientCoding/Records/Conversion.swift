/// The way from one system of units to another, a step for each dimension that differs.
///
///     let toCelsius = Conversion([.temperature: .init(scale: 5 / 9, offset: -160 / 9, places: 2)])
public struct Conversion: Sendable {
    /// `value * scale + offset`, rounded to `places` decimals.
    public struct Step: Sendable {
        /// The factor.
        public var scale: Double
        /// What is added after.
        public var offset: Double
        /// How many decimals are kept: 0…15.
        public var places: Int

        /// A step of the given factor, sum and decimals.
        public init(scale: Double, offset: Double = 0, places: Int) {
            self.scale = scale
            self.offset = offset
            self.places = places
        }

        /// The value in the other unit.
        package func callAsFunction(_ value: Double) -> Double {
            let converted = value * scale + offset
            let unit = Conversion.powersOfTen[max(0, min(places, Conversion.powersOfTen.count - 1))]
            let rounded = (converted * unit).rounded() / unit
            // Numbers that large have no decimals to round.
            return rounded.isFinite ? (rounded == 0 ? 0 : rounded) : converted
        }
    }

    static let powersOfTen: [Double] = (0...15).map { (0..<$0).reduce(1.0) { product, _ in product * 10 } }

    private let steps: [Dimension: Step]

    /// A conversion of these steps; what they do not name stays.
    public init(_ steps: [Dimension: Step]) { self.steps = steps }

    func callAsFunction(_ value: Double, of dimension: Dimension?) -> Double {
        guard let dimension, let step = steps[dimension] else { return value }
        return step(value)
    }
}
