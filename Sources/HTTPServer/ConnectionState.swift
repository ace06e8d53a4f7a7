import HTTPCore

extension Connection {
    /// Where a connection stands in its life.
    ///
    /// Bytes still to be sent are no part of it: they wait in `output`.
    enum State {
        /// Waiting for a request, or for the rest of one.
        case reading
        /// A request is being answered; what follows it waits.
        case answering(Exchange)
        /// The last answer is written; to be closed once it is sent.
        case closing(lingering: Bool)
        /// All is sent and the peer knows; what still arrives is dropped, so that no reset overtakes the answer.
        case lingering
        /// Gone.
        case closed
    }

    /// What of a request its answer depends on.
    struct Exchange {
        let version: Version
        let isHead: Bool
        let keepsAlive: Bool

        init(_ request: Request) {
            version = request.version
            isHead = request.method == .head
            keepsAlive = request.keepsAlive
        }

        /// The exchange of bytes that were no request.
        init() {
            version = .http11
            isHead = false
            keepsAlive = false
        }

        /// The state after the answer.
        ///
        /// A client that asked to close sends no more; any other may, so its connection lingers.
        func next(isDraining: Bool) -> State {
            if !keepsAlive { return .closing(lingering: false) }
            return isDraining ? .closing(lingering: true) : .reading
        }
    }
}

extension Connection.State {
    /// Whether what the socket has to read is wanted.
    var reads: Bool {
        switch self {
        case .reading, .lingering: true
        case .answering, .closing, .closed: false
        }
    }

    var isReading: Bool {
        if case .reading = self { return true }
        return false
    }
}
