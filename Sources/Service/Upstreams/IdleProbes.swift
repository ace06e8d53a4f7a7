import EventLoop
import HTTPCore
import Telemetry

/// Asks upstreams that no client has asked for a while, until `cancel`.
package final class IdleProbes: Sendable {
    private let tasks: [Task<Void, Never>]

    /// Probes of `upstreams`, at their intervals, on the shard of `context`.
    package init(_ upstreams: [Upstream], on context: ShardContext) {
        tasks = upstreams.map { upstream in
            Task(executorPreference: context.shard) {
                var wait = upstream.probeInterval
                // A cancelled sleep is the end.
                while (try? await Task.sleep(for: wait)) != nil {
                    let now = context.clock.now(), idle = now - upstream.state.lastUse
                    wait = upstream.probeInterval
                    if idle < wait {
                        wait -= idle
                    } else {
                        await upstream.probeIdle(in: FetchContext(context, end: now + upstream.deadline))
                    }
                }
            }
        }
    }

    package func cancel() { for task in tasks { task.cancel() } }
}

extension FetchContext {
    /// The context of a request that no client has made.
    fileprivate init(_ context: ShardContext, end: MonotonicTime) {
        self.init(
            client: context.client, shard: context.shard, clock: context.clock, end: end, isLast: true, trace: nil,
            tries: UpstreamTries())
    }
}
