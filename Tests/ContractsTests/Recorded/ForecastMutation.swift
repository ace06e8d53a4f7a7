import LenientCoding

/// Damage to a forecast that leaves it JSON: values that are missing, of another kind, or stand for none.
struct ForecastMutation {
    private var random: SeededNumbers

    init(seed: UInt64) { random = SeededNumbers(state: seed) }

    /// What a value may become.
    private static let values: [JSONValue] =
        ["null", "-999", "-999.0", "0", "7", "-12.50", "1e2", "1234567890123456789", "1e400", "true", "false"]
        .compactMap { JSONValue(parsing: Array($0.utf8)) }
        + ["", "none", "-999", "12.5", " 7 ", "1e400", "warm", "rain", "0x1", "NaN", "2026-02-06T12:00:00Z"].map(
            JSONValue.string)
        + [
            .array([]), .array([.null, .string("a"), .number("3"), .string(""), .object([])]), .object([]),
            .object([.init("time", .number("5")), .init("surprise", .bool(true))]),
            .object([.init("data", .array([.null]))]),
        ]

    /// `forecast` with at most three points a block and one to three values damaged.
    mutating func damaged(_ forecast: JSONValue) -> JSONValue {
        var forecast = shortened(forecast)
        for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&forecast) }
        return forecast
    }

    private mutating func shortened(_ forecast: JSONValue) -> JSONValue {
        .object(
            (forecast.members ?? []).map { member in
                guard let points = member.value["data"]?.elements else { return member }
                var block = member.value
                block["data"] = .array((0..<3).compactMap { _ in points.randomElement(using: &random) })
                return .init(member.key, block)
            })
    }

    /// Damages the value, or one somewhere in it.
    private mutating func damage(_ value: inout JSONValue) {
        let goesDeeper = Int.random(in: 0..<8, using: &random) > 0
        switch value {
        case .object(var members) where goesDeeper && !members.isEmpty:
            let index = Int.random(in: members.indices, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: members.remove(at: index)
            case 1: members[index].key = "surprise"
            case 2: members.append(.init("extra", Self.values[Int.random(in: Self.values.indices, using: &random)]))
            default: damage(&members[index].value)
            }
            // Of what stands twice the last counts; that has its own cases.
            value = .object(members.filter { member in members.count { $0.key == member.key } == 1 })
        case .array(var elements) where goesDeeper && !elements.isEmpty:
            let index = Int.random(in: elements.indices, using: &random)
            damage(&elements[index])
            value = .array(elements)
        default: value = Self.values[Int.random(in: Self.values.indices, using: &random)]
        }
    }
}

/// The same numbers in every run: SplitMix64.
private struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
