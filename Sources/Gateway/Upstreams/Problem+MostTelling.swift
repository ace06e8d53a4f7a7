import HTTPCore

extension Problem {
    /// Which problem a client gets when every upstream failed, the more telling first: an answer that has a meaning of
    /// its own says more than one that is wrong, that more than none in time, and that more than nobody there.
    private static let telling: [Kind] = [
        .upstreamNotFound, .upstreamRefused, .upstreamRateLimit, .upstreamFailed, .upstreamTooSlow,
        .upstreamUnavailable,
    ]

    /// The most telling of `problems`, which came from upstreams, and the first among equals.
    static func mostTelling(of problems: [Problem]) -> Problem {
        let ranked = telling.lazy.compactMap { kind in problems.first { $0.kind == kind } }
        return ranked.first
            ?? Problem(kind: .upstreamUnavailable, status: .serviceUnavailable, detail: "There is no upstream.")
    }
}

extension Log {
    /// Says that an upstream has not what a route asked for.
    func write(_ problem: Problem, from upstream: String, route: String) {
        write(
            .warning, "upstream failed",
            [
                "route": route, "upstream": upstream, "status": "\(problem.status.code)", "detail": problem.detail,
            ])
    }
}
