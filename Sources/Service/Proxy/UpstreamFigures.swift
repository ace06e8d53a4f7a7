import EventLoop
import JSONText
package import Records
package import API
package import Operations

/// The figures of one kind of requests to an upstream at one moment.
struct KindFigures: Sendable {
    let name: String
    var tries = TryCounts(), durations = TransferDurations(), history = KindState.History()
    var isClosed = true
    /// The seconds until the breaker admits a request; nil if it admits one.
    var refusal: Int?
}

/// The figures of all upstreams at one moment: metrics, health and status are functions of them.
package struct UpstreamFigures: Sendable {
    private struct Upstream {
        let name: String
        let kinds: [KindFigures], tokens: KindFigures
        let quotas: [QuotaUse], pauses: [(kind: RequestKind, pause: SpentQuota)]
        let latencies: LatencyHistogram, clock: ClockOffset?
        let active: Int, waiting: Int

        init(_ name: String, _ state: UpstreamState, now: MonotonicTime, wallClock: Int) {
            self.name = name
            var kinds = state.kindStates.map { $0.state.figures(at: now) }
            // An upstream that clients ask is not probed again: their success ends the failure of a probe.
            let success = kinds.compactMap(\.history.lastSuccess).max() ?? 0
            for index in kinds.indices
            where kinds[index].name == RequestKind.probe.name
                && success > kinds[index].history.lastFailure?.time ?? .max
            {
                (kinds[index].history.isFailing, kinds[index].isClosed, kinds[index].refusal) = (false, true, nil)
            }
            self.kinds = kinds
            tokens = state.tokenFigures
            (quotas, pauses) = (state.quotas.uses(wallClock: wallClock), state.quotas.pauses(now: now))
            (latencies, clock) = (state.latencies, state.clockOffset)
            (active, waiting) = (state.slots.figures.used, state.waiting)
        }
    }

    private let all: [Upstream]
    private let configured: [(name: String, isUsed: Bool)]
    private let wallClock: Int

    /// Reads the figures.
    package init(_ registry: UpstreamRegistry) {
        let (now, wallClock) = (registry.clock.now(), registry.clock.seconds)
        all = registry.allStates.map { Upstream($0, $1, now: now, wallClock: wallClock) }
        (configured, self.wallClock) = (registry.configured, wallClock)
    }
}

// The metrics.
extension UpstreamFigures {
    package static let table: [Figure<UpstreamFigures>] = [
        Figure(
            "http_client_request_duration_seconds", .histogram, ["upstream", "requests", "result"],
            "Time of the requests to an upstream, from the connection to the last byte of the response.",
            note: """
                The buckets are OpenTelemetry's. The results are `success` (2xx and 304), `3xx`, `4xx`, `5xx`, `timeout`, \
                `connection` and `other`.
                """
        ) { figures in
            figures.kinds(withTokens: true).flatMap { upstream, kind in
                kind.durations.byEnding.map { FigureSample($1, upstream, kind.name, $0.rawValue) }
            }
        },
        Figure(
            "weir_upstream_configured", .gauge, ["upstream"],
            "Whether an upstream is used; 0 if it is left out for lack of a key."
        ) { figures in figures.configured.map { FigureSample($1, $0) } },
        Figure(
            "weir_upstream_tries_total", .counter, ["upstream", "requests", "result"],
            "Tries to get a document from an upstream, by result.",
            note: """
                The requests are `forecast`, `tweet`, `timeline`, `search`, `lookup`, `history`, `probe`, routes and `token`. \
                The [results](#results-of-tries) are statuses and short names.
                """
        ) { figures in
            figures.kinds(withTokens: true).flatMap { upstream, kind in
                kind.tries.sorted.map { FigureSample($1, upstream, kind.name, $0) }
            }
        },
        Figure(
            "weir_upstream_suspended", .gauge, ["upstream", "requests"],
            "Whether the circuit breaker refuses requests to an upstream."
        ) { figures in
            figures.kinds().filter { !$1.tries.isEmpty }.map { FigureSample($1.refusal != nil, $0, $1.name) }
        },
        Figure(
            "weir_upstream_last_failure_timestamp_seconds", .gauge, ["upstream", "requests", "result"],
            "When a request to an upstream failed last, in seconds since 1970, with the result of its try.",
            note: "The [results](#results-of-tries) are those of tries."
        ) { figures in
            figures.kinds().compactMap { upstream, kind in
                kind.history.lastFailure.map { FigureSample($0.time, upstream, kind.name, $0.label) }
            }
        },
        quota("limit", "The configured quota of an upstream.") { use, _ in use.limit },
        quota("used", "The part of the quota that has been used in this period.") { use, _ in use.used },
        quota("reset_seconds", "The seconds until the next period of the quota.") { max(0, $0.renewal - $1) },
        Figure(
            "weir_upstream_paused_until", .gauge, ["upstream"],
            "The end of the pause that an upstream demands, in seconds since 1970; 0 without a pause.",
            note: "Of several pauses, the longest one counts."
        ) { figures in
            figures.all.map { upstream in
                let longest = upstream.pauses.map(\.pause.seconds).max()
                return FigureSample(longest.map { figures.wallClock + $0 } ?? 0, upstream.name)
            }
        },
        Figure(
            "weir_upstream_active_requests", .gauge, ["upstream"], "Requests to an upstream that are under way."
        ) { figures in figures.all.map { FigureSample($0.active, $0.name) } },
        Figure(
            "weir_upstream_waiting_requests", .gauge, ["upstream"], "Requests that wait for a slot at an upstream.",
            note: "Those that wait because the upstream has [no more left](configuration.md#quotas) count, too."
        ) { figures in figures.all.map { FigureSample($0.waiting, $0.name) } },
        Figure(
            "weir_upstream_clock_offset_seconds", .gauge, ["upstream"],
            "The seconds by which the clock of an upstream is ahead of the service's.",
            note: """
                The `Date` of the latest response counts, or of the latest one of the last minute that was more than a minute off. An \
                upstream that sends none has no value.
                """
        ) { figures in
            figures.all.compactMap { upstream in upstream.clock.map { FigureSample($0.seconds, upstream.name) } }
        },
    ]

    private static func quota(
        _ name: String, _ help: String, value: @escaping @Sendable (QuotaUse, _ wallClock: Int) -> Int
    ) -> Figure<UpstreamFigures> {
        Figure("weir_upstream_quota_\(name)", .gauge, ["upstream", "period"], help) { figures in
            figures.all.flatMap { upstream in
                upstream.quotas.map { FigureSample(value($0, figures.wallClock), upstream.name, $0.period.rawValue) }
            }
        }
    }

    private func kinds(withTokens: Bool = false) -> [(upstream: String, kind: KindFigures)] {
        all.flatMap { upstream in
            (upstream.kinds + (withTokens ? [upstream.tokens] : [])).map { (upstream.name, $0) }
        }
    }
}

// The checks, and the status.
extension UpstreamFigures {
    /// The checks of each configured upstream; their texts hold no keys.
    package var checks: HealthChecks {
        let all = statuses.flatMap { upstream in upstream.checks.map { ("\(upstream.name):\($0.key)", $0.value) } }
        return HealthChecks(all) { first, _ in first }
    }

    /// The state of each configured upstream, in the order of their names.
    package var statuses: [UpstreamStatus] {
        configured.map { name, isUsed in
            var status = UpstreamStatus()
            status.name = name
            guard isUsed, let upstream = all.first(where: { $0.name == name }) else {
                status.checks["configured"] = [
                    HealthCheck(.bool(false), status: .warn, output: "Its key does not exist.")
                ]
                return status
            }
            for (measurement, found) in checks(of: upstream) where !found.isEmpty { status.checks[measurement] = found }
            (status.active, status.waiting) = (upstream.active, upstream.waiting)
            for (result, count) in (upstream.kinds + [upstream.tokens]).flatMap(\.tries.sorted) {
                status.tries[result, default: 0] += count
            }
            return status
        }
    }

    private func checks(of upstream: Upstream) -> KeyValuePairs<String, [HealthCheck]> {
        [
            "breaker":
                upstream.kinds.map { kind in
                    if kind.isClosed { return HealthCheck("closed", of: kind.name) }
                    guard let seconds = kind.refusal else {
                        return HealthCheck(
                            "half-open", of: kind.name, status: .warn, output: "The next request decides.")
                    }
                    return HealthCheck(
                        "open", of: kind.name, status: .fail, output: "It is asked again in \(seconds) s.")
                },
            "lastSuccess":
                upstream.kinds.compactMap { kind in
                    kind.history.lastSuccess.map { HealthCheck(of: kind.name, time: timestamp($0)) }
                },
            "lastFailure":
                upstream.kinds.compactMap { kind in
                    kind.history.lastFailure.map { failure in
                        HealthCheck(
                            failure.status.map { .integer($0) } ?? .string(failure.label), of: kind.name,
                            status: kind.history.isFailing ? .warn : .pass, time: timestamp(failure.time),
                            output: failure.detail)
                    }
                },
            "clock":
                upstream.clock.map { clock in
                    [
                        HealthCheck(
                            .integer(clock.seconds), "seconds", status: clock.isWrong ? .warn : .pass,
                            output: clock.isWrong ? ClockOffset.sentence(clock.seconds) : nil)
                    ]
                } ?? [],
            "latency":
                [("p50", 0.5), ("p95", 0.95), ("p99", 0.99)].compactMap { name, part in
                    upstream.latencies.percentile(part).map {
                        HealthCheck(.integer($0.wholeMilliseconds), "ms", of: name)
                    }
                },
            "quotaLeft":
                upstream.quotas.map { use in
                    HealthCheck(
                        .integer(use.left), "requests", of: use.period.rawValue,
                        status: use.left == 0 ? .fail : use.isNearlySpent ? .warn : .pass,
                        output: "\(use.used) of \(use.period.text(use.limit)), renewed at \(timestamp(use.renewal))")
                },
            "pause":
                upstream.pauses.map { kind, pause in
                    HealthCheck(
                        .string(timestamp(wallClock + pause.seconds)), of: kind.name, status: .fail,
                        output: pause.cause.rawValue)
                },
        ]
    }
}

/// The state of one upstream, for operators.
package struct UpstreamStatus: Record {
    package var name = "", checks: HealthChecks = [:], active = 0, waiting = 0, tries: [String: Int] = [:]

    package init() {}

    /// The fields in the order in which they are written.
    package static let schema = Schema<UpstreamStatus> {
        Field(\.name, .note("The name in the configuration."))
        Field(\.checks, .note("The checks of `/healthz` for the upstream, such as `breaker` and `quotaLeft`."))
        Field(\.active, .note("The requests to the upstream that are under way."))
        Field(\.waiting, .note("The requests that wait for a slot."))
        Field(
            \.tries,
            .note("The tries since the start by their results; those from `200` to `299` and `304` are no errors."))
    }
}
