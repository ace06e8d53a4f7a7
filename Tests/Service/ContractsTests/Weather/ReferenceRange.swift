/// The plausible ranges of a point's numbers in `si`, by field name.
enum ReferenceRange {
    /// Whether `value`, in `units`, is plausible for the field called `name`.
    static func holds(_ value: Double, _ name: String, in units: String) -> Bool {
        let rule = rules.first { name.hasPrefix($0.part) || name.hasSuffix($0.part) }
        guard let rule, !name.hasSuffix("Time") else { return true }
        return rule.range.contains(si(value, rule.unit, in: units))
    }

    private enum Unit { case none, degrees, speed, distance, rate, depth }

    /// Rules by the start or the end of a name; the first match counts.
    private static let rules: [(part: String, range: ClosedRange<Double>, unit: Unit)] = [
        ("temperature", -100...70, .degrees), ("dewPoint", -100...70, .degrees),
        ("apparentTemperature", -130...100, .degrees), ("feelsLike", -130...100, .degrees),
        ("humidity", 0...1, .none), ("cloudCover", 0...1, .none), ("precipProbability", 0...1, .none),
        ("moonPhase", 0...1, .none), ("windSpeed", 0...150, .speed), ("windGust", 0...150, .speed),
        ("Bearing", 0...360, .none), ("pressure", 800...1100, .none), ("stationPressure", 250...1100, .none),
        ("uvIndex", 0...50, .none), ("visibility", 0...1000, .distance),
        ("nearestStormDistance", 0...50_000, .distance), ("ozoneConcentration", 0...1_000_000, .none),
        ("ozone", 0...1000, .none), ("precipIntensity", 0...3000, .rate), ("rainIntensity", 0...3000, .rate),
        ("snowIntensity", 0...3000, .rate), ("iceIntensity", 0...3000, .rate), ("Accumulation", 0...5000, .depth),
        ("currentDay", 0...5000, .depth), ("solar", 0...2000, .none), ("smoke", 0...1_000_000, .none),
        ("fireIndex", 0...1000, .none), ("cape", 0...20_000, .none), ("airQualityIndex", 0...10_000, .none),
        ("Concentration", 0...1_000_000, .none), ("pm", 0...1_000_000, .none),
    ]

    private static func si(_ value: Double, _ unit: Unit, in units: String) -> Double {
        switch (unit, units) {
        case (.degrees, "us"): (value - 32) / 1.8
        case (.speed, "ca"): value / 3.6
        case (.speed, "us"), (.speed, "uk"), (.speed, "uk2"): value * 0.44704
        case (.distance, "us"), (.distance, "uk2"): value * 1.609344
        case (.rate, "us"): value * 25.4
        case (.depth, "us"): value * 2.54
        default: value
        }
    }
}
