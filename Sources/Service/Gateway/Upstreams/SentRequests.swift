import Synchronization

/// What the client tells, on another thread, of the requests that it sends for one transfer.
final class SentRequests: Sendable {
    /// What there was of an answer that is not whole: the bytes of its body, and whether the connection had been used before.
    typealias Failure = (bytes: Int, isReused: Bool)

    private let number = Atomic(0), redirects = Atomic(0)
    private let latestFailure = Mutex<Failure?>(nil)

    /// That of the transfer, if a request was sent.
    var failure: Failure? { latestFailure.withLock { $0 } }

    var count: Int { number.load(ordering: .relaxed) }

    /// Those that were sent again, because a connection had ended or answered 408.
    var repetitions: Int { max(0, count - 1 - redirects.load(ordering: .relaxed)) }

    func note(_ failure: Failure) { latestFailure.withLock { $0 = failure } }

    func add() { number.add(1, ordering: .relaxed) }

    func addRedirect() { redirects.add(1, ordering: .relaxed) }
}
