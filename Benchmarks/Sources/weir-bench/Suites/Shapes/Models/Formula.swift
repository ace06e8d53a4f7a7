/// An indirect enum: a tree of formulas, as the compiler codes it.
indirect enum Formula: Codable {
    case number(Double)
    case variable(name: String)
    case sum(Formula, Formula)
    case product(Formula, Formula)
    case negated(Formula)
    case call(function: String, arguments: [Formula])

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 33)
        return .array((0..<60).map { _ in tree(depth: 6, &random) })
    }

    private static func tree(depth: Int, _ random: inout SplitMix64) -> GeneratedValue {
        func next() -> GeneratedValue { tree(depth: depth - 1, &random) }
        if depth == 0 || random.happens(15) {
            if random.happens(50) { return ["variable": ["name": .text(random.pick(["x", "y", "total"]))]] }
            return ["number": ["_0": GeneratedValue(random.decimal(0...99, places: 2))]]
        }
        switch random.number(0...3) {
        case 0: return ["sum": ["_0": next(), "_1": next()]]
        case 1: return ["product": ["_0": next(), "_1": next()]]
        case 2: return ["negated": ["_0": next()]]
        default: return ["call": ["function": "max", "arguments": [next(), next()]]]
        }
    }
}
