import HTTPCore

/// The state of a connection; unsent bytes are in the connection's `output`.
enum ConnectionState {
    /// Waiting for a request, or for the rest of one.
    case reading
    /// A request is being answered; later requests wait.
    case answering(ResponseFraming)
    /// The last response is written; the connection closes when it has been sent.
    case closing(lingering: Bool)
    /// The sending side is closed. Bytes that still arrive are read and dropped, because closing with unread bytes resets
    /// the connection, and the client can lose the response (RFC 9112 §9.6).
    case lingering
    case closed

    var isReading: Bool {
        if case .reading = self { return true }
        return false
    }

    /// Whether to read from the socket.
    var receives: Bool {
        switch self {
        case .reading, .lingering: true
        case .answering, .closing, .closed: false
        }
    }
}

/// The properties of a request that its response depends on.
struct ResponseFraming {
    let version: Version
    let isHead: Bool
    let keepsAlive: Bool

    /// The framing of the response to `request`, or to bytes that are not a valid request if it is nil.
    init(_ request: Request?) {
        version = request?.version ?? .http11
        isHead = request?.method == .head
        keepsAlive = request?.keepsAlive ?? false
    }

    /// Returns the state after the response.
    ///
    /// A client that asked to close sends nothing more; any other client may, so its connection lingers.
    func nextState(isDraining: Bool) -> ConnectionState {
        if !keepsAlive { return .closing(lingering: false) }
        return isDraining ? .closing(lingering: true) : .reading
    }
}
