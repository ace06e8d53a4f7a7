package import EventLoop
package import HTTPClient
package import Operations

/// What requests on one shard use: its event loop, its client, its counters and log, and the clocks.
package final class ShardContext: Sendable {
    package let shard: Shard
    package let client: Client
    package let clock: Clock
    package let labels: RouteLabels
    package let telemetry: ShardBound<ShardTelemetry>
    let memo: ShardBound<TargetCache>

    /// The context of `shard`, whose counters are those of the routes of `labels`, and whose memo takes up at most
    /// `memoBytes`.
    ///
    /// With a `tracer`, exchanges have spans.
    package init(
        _ shard: Shard, client: Client, clock: Clock = .system, log: AccessLogBuffer? = nil, tracer: Tracer? = nil,
        labels: RouteLabels = RouteLabels(), memoBytes: Int = 1 << 20
    ) {
        (self.shard, self.client, self.clock, self.labels) = (shard, client, clock, labels)
        let telemetry = ShardTelemetry(labels, log: log, tracer: tracer)
        self.telemetry = ShardBound(telemetry, to: shard)
        memo = ShardBound(TargetCache(maximumBytes: memoBytes), to: shard)
    }
}

extension [ShardContext] {
    /// Returns the counters of all shards together; the shards must run.
    package func counters() async -> RequestMetrics {
        var sum = RequestMetrics()
        for context in self {
            sum.add(
                await withCheckedContinuation { continuation in
                    context.telemetry.post { continuation.resume(returning: $0.metrics) }
                })
        }
        return sum
    }

    /// Returns the bytes that the memos of all shards take up; the shards must run.
    package func memoBytes() async -> Int {
        var sum = 0
        for context in self {
            sum += await withCheckedContinuation { continuation in
                context.memo.post { continuation.resume(returning: $0.bytes) }
            }
        }
        return sum
    }

    /// Returns what `body` finds in the last exchanges of each shard; the shards must run.
    package func recent<Value: Sendable>(_ body: @escaping @Sendable (RecentExchanges) -> Value) async -> [Value] {
        var values: [Value] = []
        for context in self {
            values.append(
                await withCheckedContinuation { continuation in
                    context.telemetry.post { continuation.resume(returning: body($0.recent)) }
                })
        }
        return values
    }

    /// Passes the lines of the access log that the shards hold to the writer; the shards must run.
    package func flushLogs() async {
        for context in self {
            await withCheckedContinuation { continuation in
                context.telemetry.post {
                    $0.flush()
                    continuation.resume()
                }
            }
        }
    }
}
