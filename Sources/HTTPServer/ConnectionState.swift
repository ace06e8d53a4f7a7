import HTTPCore

/// The state of a connection.
///
/// Bytes that wait to be sent are not part of it; they are in the connection's `output`.
enum ConnectionState {
    /// Waiting for a request, or for the rest of one.
    case reading
    /// A request is being answered; later requests wait.
    case answering(ResponseFraming)
    /// The last response is written; the connection closes when it has been sent.
    case closing(lingering: Bool)
    /// Everything is sent and the peer has been told; bytes that still arrive are dropped, so that no reset overtakes
    /// the response.
    case lingering
    case closed

    var isReading: Bool {
        if case .reading = self { return true }
        return false
    }

    /// Whether bytes that the socket receives are read.
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
    /// A client that asked to close sends no more; any other may, so its connection lingers.
    func nextState(isDraining: Bool) -> ConnectionState {
        if !keepsAlive { return .closing(lingering: false) }
        return isDraining ? .closing(lingering: true) : .reading
    }
}
