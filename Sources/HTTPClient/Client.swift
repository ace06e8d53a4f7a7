public import EventLoop
import Synchronization

/// An HTTP client on the event loop of one shard, over libcurl.
///
/// A limited number of transfers run at a time; the others wait in order, and their deadlines include the wait.
public final class Client: Sendable {
    /// The number of transfers that run at a time on one shard.
    ///
    /// More take longer in total: 256 at a time took twice the processor time of 32.
    public static let maximumActive = 32
    /// The number of further transfers that may wait.
    public static let maximumWaiting = 1024

    private let multi: ShardBound<MultiHandle>

    /// A client on `shard`.
    public init(on shard: Shard) { multi = ShardBound(MultiHandle(shard), to: shard) }

    // The last reference can be released on any thread, the sockets on the shard's only.
    deinit { multi.post { $0.close() } }

    /// Fetches a response, whatever its status.
    /// - Throws: `TransferError` if there is no response.
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

/// The identity of a fetch, and whether it has been cancelled, which can happen before it begins.
final class Ticket: Sendable {
    private let cancelled = Atomic<Bool>(false)

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }
}
