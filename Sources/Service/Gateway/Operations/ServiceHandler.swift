import API
import Proxy
import EventLoop
import HTTPCore
import HTTPServer
import Operations

/// Passes requests to the router of their shard, and the records of exchanges to its counters and log.
///
/// A reload replaces the router; requests that have begun keep theirs.
final class ServiceHandler: RequestHandler {
    private final class Slot {
        let context: ShardContext
        var router: Router

        init(_ context: ShardContext, _ router: Router) { (self.context, self.router) = (context, router) }
    }

    private let slots: [ShardBound<Slot>]

    /// A handler with the same router on all shards.
    init(_ router: Router, on contexts: [ShardContext]) {
        slots = contexts.map { ShardBound(Slot($0, router), to: $0.shard) }
    }

    /// Replaces the router for the requests that begin after the return; the shards must run.
    func replace(with router: Router) async {
        for slot in slots {
            await withCheckedContinuation { continuation in
                slot.post { slot in
                    slot.router = router
                    continuation.resume()
                }
            }
        }
    }

    func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply {
        let slot = slots[shard.index].open
        let telemetry = slot.context.telemetry.open
        telemetry.begin()
        return slot.router.reply(to: request, from: source, on: slot.context, telemetry)
    }

    /// The router of a shard, which must be the caller's.
    func router(on shard: Shard) -> Router { slots[shard.index].open.router }

    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response {
        let slot = slots[shard.index].open
        return slot.router.refusal(of: failure, to: request, slot.context.telemetry.open)
    }

    /// Whether it asks for health or metrics, which are answered when connections are short too.
    func isReserved(_ request: Request, on shard: Shard) -> Bool {
        slots[shard.index].open.router.isProbe(request)
    }

    func finished(_ exchange: ExchangeRecord, on shard: Shard) {
        slots[shard.index].open.context.telemetry.open.finish(exchange, on: shard)
    }

    func connectionsChanged(by change: Int, on shard: Shard) {
        slots[shard.index].open.context.telemetry.open.connectionsChanged(by: change)
    }
}
