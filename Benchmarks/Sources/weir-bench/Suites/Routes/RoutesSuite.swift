/// Configured routes: a shape of ten rules against expressions in other languages, and an edit against a transform.
struct RoutesSuite: Suite {
    static let name = "routes"
    static let names = [
        "routes.shape.30k.vsGo", "routes.shape.600k.vsGo", "routes.shape.vsJq", "routes.shape.vsPython",
        "routes.edit.vsTransform", "routes.edit.anyDepth.vsTransform", "routes.join.held",
        "routes.join.vsGo", "routes.turn.held",
    ]

    private let seconds: Double
    private let contests: [RoutesContest]

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        contests = [try RoutesContest("30k", observations: 30), try RoutesContest("600k", observations: 600)]
        for (peer, figures, need) in [
            ("go", "routes.shape.*.vsGo", "go-jmespath is not built"),
            ("jq", "routes.shape.vsJq", "libjq is not built"),
            ("python", "routes.shape.vsPython", "it needs python3 with jmespath and orjson"),
        ] where !contests.allSatisfy({ $0.has(peer) }) {
            Terminal.say("skipped: \(figures), \(need): see README.md")
        }
    }

    func contestants() throws -> [Contestant] { contests.flatMap { $0.profiles() } }

    func run(_ report: (Figure) -> Void) throws {
        var all: [Contest.Results] = []
        for contest in contests {
            let results = try contest.run(seconds: seconds / Double(contests.count))
            all.append(results)
            guard let ratio = results.ratio(of: "go", to: "shape") else { continue }
            report(Figure(name: "routes.shape.\(contest.size).vsGo", value: ratio, bar: .atLeast(3)))
        }
        for (figure, slower, faster, bar) in [
            ("shape.vsJq", "jq", "shape", Figure.Bar.none), ("shape.vsPython", "python", "shape", .none),
            ("edit.vsTransform", "transform", "edit", .atLeast(0.8)),
            ("edit.anyDepth.vsTransform", "transform", "deepEdit", .none),
        ] {
            // The document with the lower ratio counts.
            guard let ratio = all.compactMap({ $0.ratio(of: slower, to: faster) }).min() else { continue }
            report(Figure(name: "routes.\(figure)", value: ratio, bar: bar))
        }
        let join = try JoinContest().run(seconds: seconds / 4)
        if let own = join.times["shape"] {
            report(Figure(name: "routes.join.held", value: own.median / 1e6, bar: .atMost(5)))
        }
        if let ratio = join.ratio(of: "go", to: "shape") {
            report(Figure(name: "routes.join.vsGo", value: ratio, bar: .none))
        }
        let held = try TurnContest().run(seconds: seconds / 4)
        report(Figure(name: "routes.turn.held", value: held, bar: .atMost(5)))
    }
}
