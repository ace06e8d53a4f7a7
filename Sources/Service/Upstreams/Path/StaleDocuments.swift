import Telemetry
import HTTPClient
import HTTPCore
import Synchronization

/// The stale documents that may serve if all upstreams fail, the first of them first.
final class StaleDocuments: Sendable {
    private let answers = Mutex<[(UpstreamAnswer, FetchContext)]>([])

    var first: (UpstreamAnswer, FetchContext)? { answers.withLock { $0.first } }

    func note(_ answer: UpstreamAnswer, in context: FetchContext) {
        answers.withLock { $0.append((answer, context)) }
    }
}

extension FetchFailure {
    /// Whether a stale document is better than this failure: the failure says nothing about the document.
    var allowsStale: Bool {
        switch self {
        case .transfer(.cancelled), .notInCache: false
        // A 403 without a meaning is about the key.
        case .status(let status, let meaning, _, _):
            meaning != 403 && ![400, 404, 410, 422].contains(meaning ?? status)
        default: true
        }
    }
}

extension Fetch {
    /// Returns the kept document that may serve although it is stale, after this failure; nil if there is none.
    func stale(after failure: FetchFailure) -> FoundDocument? {
        guard failure.allowsStale, let document = cache?.document(order.key),
            document.mayServe(afterErrorAt: context.clock.seconds)
        else { return nil }
        return FoundDocument(document: document, finding: .stale(forwardStatus: failure.responseStatus))
    }
}
