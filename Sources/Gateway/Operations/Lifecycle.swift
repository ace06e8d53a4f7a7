import Synchronization

/// Where the service stands, for `/readyz`.
final class Lifecycle: Sendable {
    /// The stages in their order.
    enum Stage: String {
        case starting
        case serving
        case draining
    }

    private let current = Mutex(Stage.starting)

    /// The stage at hand.
    var stage: Stage { current.withLock { $0 } }

    /// Goes on to `stage`.
    func enter(_ stage: Stage) { current.withLock { $0 = stage } }
}
