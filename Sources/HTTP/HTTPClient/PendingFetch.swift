import CCurl
import EventLoop
import HTTPCore
import Synchronization

/// A caller's wait for the response to a request.
///
/// One object for the caller, the shard and libcurl's handle, so that they pass on no copies of the request and no closures.
final class PendingFetch: @unchecked Sendable {
    // Unchecked: `continuation` and `deadline` are set before the shard gets the fetch, and then used by the shard alone.

    let request: OutgoingRequest
    private let cancelled = Atomic<Bool>(false)
    private var continuation: CheckedContinuation<Result<IncomingResponse, TransferError>, Never>?
    private(set) var deadline = MonotonicTime.distantFuture

    init(_ request: consuming OutgoingRequest) { self.request = request }

    /// Begins the wait; the caller passes the fetch to its shard afterwards.
    func wait(_ continuation: CheckedContinuation<Result<IncomingResponse, TransferError>, Never>) {
        (self.continuation, deadline) = (continuation, .now + request.deadline)
    }

    /// Whether the caller has gone, which can happen before the fetch begins.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    func complete(_ result: consuming Result<IncomingResponse, TransferError>) {
        let waiting = continuation
        continuation = nil
        waiting?.resume(returning: result)
    }
}

/// The state of a handle that belongs to one transfer.
struct TransferState {
    var reader: ResponseReader
    /// Whose response the transfer gets; nil while the handle rests.
    var fetch: PendingFetch?
    /// When libcurl should have ended the transfer, and when it should have connected.
    var deadline = MonotonicTime.distantFuture, connectDeadline = MonotonicTime.distantFuture
    /// True for a request that is repeated on a new connection.
    var isRetry = false
    /// The index among the active handles; nil if libcurl does not run the transfer.
    var index: Int?
    var firstByteTimer: ShardTimer?
    /// libcurl's result, once there is one; the rest of the body may still have to be decoded.
    var code: CURLcode?
    /// Whether the client makes a new connection for each request to the upstream.
    var isToSuspect = false
    var hasRefusedAddress = false
    var sent = 0
    var isFirstOnUsed = false
    /// Whether the answer has arrived, and the connection is watched until it is used again.
    var isSocketUnused = false
    /// Whether the connection is new and speaks TLS 1.3, where a client's certificate is refused after the handshake.
    var isNewTLS13 = false
    /// OpenSSL's error when the connection ended, and the bytes that had arrived on it; 0 if their number is unknown.
    var tlsError: (text: String, received: Int)?

    /// Whether libcurl may repeat the request: a signed one needs another signature, and a retry was sent before.
    var mayRepeat: Bool { !isRetry && fetch?.request.sign == nil }

    static var none: TransferState {
        TransferState(reader: ResponseReader(limits: .init(bytes: 0, fields: 0), maximumBodyBytes: 0, reserveBody: nil))
    }
}
