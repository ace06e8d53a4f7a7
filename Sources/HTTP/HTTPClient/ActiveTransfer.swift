import CCurl
import EventLoop
import HTTPCore

/// A caller's wait for the response to the request of a ticket.
struct Fetch {
    let ticket: Ticket
    let deadline: MonotonicTime
    let complete: (Result<IncomingResponse, TransferError>) -> Void

    var request: OutgoingRequest { ticket.request }
}

/// A transfer that libcurl runs.
final class ActiveTransfer {
    let handle: EasyHandle
    let fetch: Fetch
    /// True for a request that is repeated on a new connection.
    let isRetry: Bool
    let start: MonotonicTime
    /// The index among the active transfers; nil if libcurl does not run the transfer.
    var index: Int?
    var firstByteTimer: ShardTimer?
    /// libcurl's result, once there is one; the rest of the body may still have to be decoded.
    var code: CURLcode?

    init(_ handle: EasyHandle, _ fetch: Fetch, isRetry: Bool, start: MonotonicTime) {
        (self.handle, self.fetch, self.isRetry, self.start) = (handle, fetch, isRetry, start)
    }

    /// Returns the transfer of a libcurl handle; nil for a handle of libcurl's own, with which it closes connections.
    static func of(_ easy: UnsafeMutableRawPointer) -> ActiveTransfer? {
        weir_get_private(easy).map { Unmanaged<ActiveTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

/// The state of a handle that belongs to one transfer.
struct TransferState {
    var reader: ResponseReader
    var limitsConnect = false
    var isConditional = false
    var minimumRate = 0
    /// Whether the client makes a new connection for each request to the upstream.
    var isToSuspect = false
    var noteSent: (@Sendable () -> Void)?
    var hasRefusedAddress = false
    /// The number of times that the request was sent.
    var sent = 0
    /// Whether the request was sent on a used connection first.
    var isFirstOnUsed = false
    /// Whether libcurl may repeat the request: a signed one needs another signature, and a retry was sent before.
    var mayRepeat = true
    /// Whether the answer has arrived, and the connection is watched until it is used again.
    var isSocketUnused = false
    /// Whether the connection is new and speaks TLS 1.3, where a client's certificate is refused after the handshake.
    var isNewTLS13 = false
    /// OpenSSL's error when the connection ended, and the bytes that had arrived on it; 0 if their number is unknown.
    var tlsError: (text: String, received: Int)?

    static var none: TransferState {
        TransferState(reader: ResponseReader(limits: .init(bytes: 0, fields: 0), maximumBodyBytes: 0, reserveBody: nil))
    }
}
