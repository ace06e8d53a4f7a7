import Synchronization

/// Counts the requests that the client sends for one transfer, on another thread.
final class SentRequests: Sendable {
    private let number = Atomic(0), redirects = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }

    /// Those that were sent again, because a connection had ended or answered 408.
    var repetitions: Int { max(0, count - 1 - redirects.load(ordering: .relaxed)) }

    func add() { number.add(1, ordering: .relaxed) }

    func addRedirect() { redirects.add(1, ordering: .relaxed) }
}
