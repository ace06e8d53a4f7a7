public import EventLoop
import Synchronization

/// Fetches from upstreams with libcurl, on the event loop of one shard.
///
/// So many transfers run at a time; the rest wait in order, their deadlines running.
public final class Client: Sendable {
    /// How many transfers run at a time on one shard.
    ///
    /// More cost processor time and latency: 256 at once took twice the time of 32.
    public static let maximumActive = 32
    /// How many more may wait.
    public static let maximumWaiting = 1024

    private let multi: ShardBound<MultiHandle>

    /// A client on `shard`.
    public init(on shard: Shard) { multi = ShardBound(MultiHandle(shard), to: shard) }

    // Its last reference may go on any thread, its sockets only on the shard's.
    deinit { multi.post { $0.close() } }

    /// Fetches an answer, whatever its status.
    /// - Throws: `TransferError` when there is none.
    public func fetch(_ request: OutgoingRequest) async throws(TransferError) -> IncomingResponse {
        let multi = multi
        let ticket = Ticket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                multi.run { $0.begin(request, ticket) { continuation.resume(returning: $0) } }
            }
        } onCancel: {
            ticket.cancel()
            multi.post { $0.cancel(ticket) }
        }
        return try result.get()
    }

    /// Ends all transfers.
    public func stop() { multi.post { $0.stop() } }
}

/// Tells one fetch from all others.
final class Ticket: Sendable {
    private let cancelled = Atomic<Bool>(false)

    /// Whether the fetch has been cancelled, which may come before it begins.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }
}
