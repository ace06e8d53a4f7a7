public import HTTPCore

/// The exchanges of all shards, with the routes that their numbers mean.
public struct RequestFigures: Sendable {
    private let counters: RequestMetrics
    private let routes: [RouteLabel]

    /// The figures of counters; `routes` are in the order of their numbers.
    public init(_ counters: RequestMetrics = RequestMetrics(), routes: [RouteLabel] = []) {
        (self.counters, self.routes) = (counters, routes)
    }

    /// The metrics, with the labels of OpenTelemetry.
    public static let table: [Figure<RequestFigures>] = [
        Figure(
            "http_server_request_duration_seconds", .histogram,
            ["http_request_method", "http_response_status_code", "http_route"],
            "Time from the first byte of a request to the last one of its response."
        ) { figures in
            figures.counters.series.map { series in
                let status = series.status > 0 ? "\(series.status)" : series.status == 0 ? "_OTHER" : ""
                return FigureSample(series.durations, series.method.name, status, figures.template(of: series.route))
            }
        },
        Figure(
            "http_server_active_requests", .gauge, "Requests whose responses have not been sent.",
            value: { $0.active }),
        Figure("http_server_open_connections", .gauge, "Open connections of clients.", value: { $0.connections }),
        Figure(
            "http_server_accepted_connections_total", .counter, "Connections of clients since the start.",
            value: { $0.counters.accepted }),
        Figure(
            "http_server_received_bytes_total", .counter, "Bytes of requests, heads included.",
            value: { $0.counters.received }),
        Figure(
            "http_server_sent_bytes_total", .counter, "Bytes of responses, heads included.",
            value: { $0.counters.sent }),
        Figure(
            "http_server_refusals_total", .counter, ["reason"],
            "Requests and connections that were refused before a route."
        ) { figures in figures.refusals.map { FigureSample($1, $0.rawValue) } },
        Figure(
            "http_server_incomplete_total", .counter, ["outcome"],
            "Exchanges that ended before the whole response was sent.",
            note: "The outcomes are `client_left`, `timeout` and `shutdown`."
        ) { figures in figures.incomplete.map { FigureSample($1, $0) } },
        Figure(
            "weir_cache_answers_total", .counter, ["result"], "Answers by the part that the cache took.",
            note: """
                Problems count, too. The results are `hit`, `refreshing` (stale, and being refreshed), `stale` (the upstream \
                failed), `miss` and `collapsed` (waited for the call of another request).
                """
        ) { figures in figures.cacheResults.map { FigureSample($1, $0.rawValue) } },
    ]

    /// The requests whose responses have not been sent.
    public var active: Int { max(0, counters.active) }

    /// The open connections of clients.
    public var connections: Int { max(0, counters.connections) }

    /// The answers by the part that the cache took.
    public var cacheResults: [(result: CacheResult, count: Int)] {
        CacheResult.allCases.map { ($0, Int(counters.cached[$0.index])) }
    }

    /// The templates of the routes, in the order of their numbers, each with the durations of its exchanges and the number
    /// of those whose status is 400 or more; the last one is empty, for exchanges without a route.
    public var byRoute: [(template: String, durations: Histogram, errors: Int)] {
        Dictionary(grouping: counters.series) { $0.route ?? .max }.sorted { $0.key < $1.key }.map { number, series in
            var durations = Histogram(RequestMetrics.bounds)
            for series in series { durations.add(series.durations) }
            return (template(of: number), durations, Self.errors(in: series))
        }
    }

    /// The exchanges that failed, by status or by the way in which they ended; a refused one counts under both.
    public var errors: [(cause: String, count: Int)] {
        let statuses = Dictionary(grouping: counters.series.filter { $0.status >= 400 }, by: \.status)
        let refused = refusals.map { ("refused: \($0.rawValue)", $1) }
        return statuses.sorted { $0.key < $1.key }.map { ("status \($0.key)", Self.errors(in: $0.value)) }
            + (refused + incomplete).filter { $0.1 > 0 }
    }

    private var refusals: [(reason: Refusal, count: Int)] {
        zip(Refusal.allCases, counters.refusals).map { ($0, Int($1)) }
    }

    private var incomplete: [(outcome: String, count: Int)] {
        [
            ("client_left", Int(counters.clientsLeft)), ("timeout", Int(counters.timeouts)),
            ("shutdown", Int(counters.stopped)),
        ]
    }

    private static func errors(in series: [RequestMetrics.Series]) -> Int {
        series.reduce(0) { $0 + ($1.status >= 400 ? $1.durations.count : 0) }
    }

    private func template(of route: UInt16?) -> String {
        route.flatMap { Int($0) < routes.count ? routes[Int($0)].template : nil } ?? ""
    }
}
