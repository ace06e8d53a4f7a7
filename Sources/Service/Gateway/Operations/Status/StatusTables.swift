import CivilDates
import Records
import API
import Proxy

// The status as tables, always the same ones in the same order.
extension ServiceStatus {
    var tables: [StatusTable] {
        [
            StatusTable("Service", ["figure", "value"], figures),
            StatusTable(
                "Routes", ["route", "requests", "errors", "p50 ms", "p95 ms", "p99 ms"],
                routes.map { route in
                    [route.route.isEmpty ? "(none)" : route.route, "\(route.requests)", "\(route.errors)"]
                        + [route.p50, route.p95, route.p99].map { $0.map(\.formatted) ?? "more" }
                }),
            StatusTable("Errors by cause", ["cause", "number"], errorRows),
            StatusTable(
                "Upstreams",
                ["upstream", "breaker", "quota left", "pause", "latency", "under way", "last success", "last failure"],
                upstreams.map { upstream in
                    let checks = upstream.checks
                    return [
                        upstream.name, text(checks["configured"] ?? checks["breaker"]), text(checks["quotaLeft"]),
                        text(checks["pause"]), text(checks["latency"]),
                        "\(upstream.active), \(upstream.waiting) waiting", text(checks["lastSuccess"]),
                        text(checks["lastFailure"]),
                    ]
                }),
            StatusTable(
                "Cache", ["figure", "value"],
                cache.answers.sorted { $0.key < $1.key }.map { ["answers: \($0.key)", "\($0.value)"] } + [
                    ["documents", "\(cache.documents)"], ["bytes", "\(cache.bytes)"],
                    ["evictions", "\(cache.evictions)"], ["requests under way", "\(cache.flights)"],
                ]),
            StatusTable("Shared store", ["figure", "value"], sharedRows),
            drift.table,
            StatusTable("Log", ["line"], log.map { [$0] }),
        ]
    }

    private var figures: [[String]] {
        let reload = configuration.lastReload.map { "\($0.at) \($0.result)" } ?? "none"
        let refusal = configuration.lastRefusal.map { "\($0.at) \($0.detail ?? "")" } ?? "none"
        let limit = memory.limitBytes.map { ", \(memory.usedBytes ?? 0) of \($0) bytes" } ?? ""
        return [
            ["Weir", version], ["stage", stage], ["time of the figures", time], ["connections", "\(connections)"],
            ["requests under way", "\(active)"],
            ["memory", "\(memory.level)\(limit), \(memory.shed) requests refused"],
            ["configuration", "\(configuration.hash), since \(configuration.takenAt), reload \(configuration.number)"],
            ["last reload", reload], ["last refused reload", refusal],
            ["settings for a restart", configuration.needsRestart.joined(separator: ", ")],
        ]
    }

    private var sharedRows: [[String]] {
        guard let shared else { return [["quotas", "of this replica alone"]] }
        return [
            ["quotas", shared.quotas], ["last answer", shared.lastMilliseconds.map { "\($0.formatted) ms" } ?? "none"],
            ["last loss", shared.lastLoss ?? "none"],
        ] + shared.events.sorted { $0.key < $1.key }.map { [$0.key, "\($0.value)"] }
    }

    private var errorRows: [[String]] {
        errors.map { [$0.cause, "\($0.count)"] }
            + upstreams.flatMap { upstream in
                upstream.tries.filter { !["200", "304"].contains($0.key) }.sorted { $0.key < $1.key }
                    .map { ["\(upstream.name): \($0.key)", "\($0.value)"] }
            }
    }

    /// Returns the checks of one measurement: `p50: 12 ms; p95: 40 ms`.
    private func text(_ checks: [HealthCheck]?) -> String {
        (checks ?? []).map { check in
            let value = check.observedValue.map { $0.stringValue ?? "\($0)" }
            let words = [value, check.observedUnit, check.time, check.output].compactMap(\.self)
            return (check.componentID.map { "\($0): " } ?? "") + words.joined(separator: " ")
        }.joined(separator: "; ")
    }
}

extension DriftSummary {
    /// The patterns, the latest one first.
    var table: StatusTable {
        func text(_ time: UnixSeconds) -> String { ISO8601Timestamp.format(secondsSinceEpoch: time.seconds) ?? "" }
        return StatusTable(
            "Drift", ["last", "first", "upstream", "route", "kind", "reason", "documents", "path", "from"],
            patterns.map { pattern in
                [
                    text(pattern.last), text(pattern.first), pattern.upstream, pattern.route, pattern.kind,
                    pattern.reason,
                    "\(pattern.documents)", pattern.path, pattern.from,
                ]
            })
    }
}

extension Double {
    /// The number without a fraction of 0.
    fileprivate var formatted: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}
