import Synchronization

/// What one try at an upstream has come to, for the stages around it: retries, hedging and the log.
///
/// The client adds what it sends on another thread.
package final class Attempt: Sendable {
    package struct Record: Sendable {
        /// What authorizes the request.
        package var access: Access?
        /// Whether quota, breaker and queue have admitted it.
        var isAdmitted = false
        /// The requests that were sent: more than one after a repetition or a redirect.
        package var sent = 0
        package var redirects = 0
        /// The bytes of the body; of a body that is not whole, those that have arrived.
        package var bytes = 0
        /// Whether the connection had been used before; nil if no request was sent on one.
        package var isReused: Bool?
        /// The status of the response; nil without one.
        package var status: Int?

        /// Requests that were sent again, because a connection had ended or answered 408.
        var repetitions: Int { max(0, sent - 1 - redirects) }
    }

    /// True for retries and hedged requests, which add nothing to the retry budget.
    let isExtra: Bool
    private let state = Mutex(Record())

    package init(isExtra: Bool = false) { self.isExtra = isExtra }

    package var record: Record { state.withLock { $0 } }

    package func change(_ body: (inout Record) -> Void) { state.withLock { body(&$0) } }
}
