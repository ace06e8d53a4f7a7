/// Arrays of arrays of numbers.
struct Grid: Codable {
    var rows: [[Double]]
    var bounds: [Double]
    var indices: [[Int]]

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 38)
        func numbers(_ count: Int) -> GeneratedValue {
            .array((0..<count).map { _ in GeneratedValue(random.decimal(-180...180, places: 6)) })
        }
        return .array(
            (0..<40).map { _ in
                [
                    "rows": .array((0..<50).map { _ in numbers(8) }), "bounds": numbers(4),
                    "indices": .array((0..<50).map { .array([GeneratedValue($0), GeneratedValue($0 + 1)]) }),
                ]
            })
    }
}
