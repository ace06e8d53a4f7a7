/// What the cache keeps of seeded traces of 10 million requests, beside published policies of equal size.
struct HitRatioSuite: Suite {
    static let name = "hitratio"

    private static let requests = 10_000_000
    private static let capacities = [2000, 10_000, 100_000]
    private static var published: [any Policy.Type] { [LRU.self, ARC.self, Sieve.self, S3FIFO.self, WTinyLFU.self] }
    private static let traces: [(name: String, make: @Sendable () -> AccessTrace)] = [
        ("zipf0.8", { .zipf(0.8, count: requests) }), ("zipf1.0", { .zipf(1.0, count: requests) }),
        ("scans", { .scans(count: requests) }), ("shifting", { .shifting(count: requests) }),
    ]

    static var names: [String] {
        traces.flatMap { trace in capacities.flatMap { names(trace.name, $0) } }
    }

    private static func names(_ trace: String, _ capacity: Int) -> [String] {
        ["vsBest", "vsLRU", "vsOptimum"].map { "\(name).\(trace).\(capacity).\($0)" }
    }

    init(_ options: SuiteOptions) {}

    func contestants() -> [Contestant] { [] }

    func run(_ report: (Figure) -> Void) {
        for (name, make) in Self.traces {
            let trace = make()
            for capacity in Self.capacities {
                let ours = WeirStore.hitRatio(capacity: capacity, trace: trace)
                let others = Self.published.map { ($0.name, $0.hitRatio(capacity: capacity, trace: trace)) }
                let lru = others[0].1
                let optimum = Optimum.hitRatio(capacity: capacity, trace: trace)
                let best = others.map(\.1).max() ?? .nan
                let ratios = ([(WeirStore.name, ours)] + others + [(Optimum.name, optimum)]).map { name, ratio in
                    "\(name) \(percent(ratio))"
                }
                Terminal.say("hitratio: \(name), \(capacity) places: \(ratios.joined(separator: ", "))")
                let figures = [ours / best, ours / lru, ours / optimum]
                for (index, (figure, value)) in zip(Self.names(name, capacity), figures).enumerated() {
                    report(Figure(name: figure, value: value, bar: index == 0 ? .atLeast(0.95) : .none))
                }
            }
        }
    }

    private func percent(_ ratio: Double) -> String { "\((ratio * 1000).rounded() / 10) %" }
}
