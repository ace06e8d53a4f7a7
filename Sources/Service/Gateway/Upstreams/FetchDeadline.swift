import EventLoop
import HTTPClient
import HTTPCore
import Synchronization
import Telemetry

/// The moment at which a client's request must be answered, and the share of the time that each upstream gets.
struct FetchDeadline: Sendable {
    /// Transfers end up to a millisecond early, and nothing is worth trying in so little time.
    private static let shortestTry = Duration.milliseconds(2)

    let end: MonotonicTime

    func hasPassed(at now: MonotonicTime) -> Bool { end <= now + Self.shortestTry }

    /// Returns the moment until which an upstream may be tried if `count` upstreams, it included, are still untried.
    ///
    /// The weights of the shares fall from `count` to 1: of five seconds, three silent upstreams get 2.5, 1.67 and 0.83.
    /// What an upstream does not use is left to the next ones, and the last one gets all that is left.
    func shareEnd(forFirstOf count: Int, at now: MonotonicTime) -> MonotonicTime {
        guard !hasPassed(at: now), count > 1 else { return end }
        return min(end, now + (end - now) * 2 / (count + 1))
    }
}

/// For whom a document is fetched.
enum FetchPurpose: Sendable {
    /// A client waits for it, and none is kept that is out of date.
    case client
    /// It replaces one that is kept and out of date.
    case refresh
}

/// What the tries of one upstream for one request have in common.
struct FetchContext: Sendable {
    let client: Client
    let shard: Shard
    let clock: Clock
    /// The end of the upstream's share of the time.
    private(set) var end: MonotonicTime
    /// Whether no other upstream can be asked if this one fails.
    let isLast: Bool
    /// The place of the client's request in a trace.
    let trace: TraceContext?
    var tries: UpstreamTries
    var cacheNote = LatestCacheNote()
    var purpose = FetchPurpose.client
    /// Whether no client waits: then the log has no line of a request that names the failure.
    private(set) var isInBackground = false
    /// The fields of the client's request.
    var clientFields = HeaderFields()
    /// The stale documents that may serve if all upstreams fail.
    var stale = StaleDocuments()

    /// The current moment, on the clock of all deadlines.
    var now: MonotonicTime { clock.now() }

    /// The context of a request that replaces a document that is kept and out of date.
    var refreshing: FetchContext {
        var context = self
        context.purpose = .refresh
        return context
    }

    /// The time to read a stale document after its upstream has used up all of it.
    private static let timeToRead = Duration.milliseconds(500)

    /// The context in which a stale document is read.
    var withTimeToRead: FetchContext {
        var context = self
        context.end = max(end, now + Self.timeToRead)
        return context
    }

    /// The context of such a request for which no client waits.
    var forRefresh: FetchContext {
        var context = refreshing
        context.isInBackground = true
        (context.tries, context.cacheNote, context.stale) = (UpstreamTries(), LatestCacheNote(), StaleDocuments())
        return context
    }
}

/// The stale documents that may serve if all upstreams fail, the first of them first.
final class StaleDocuments: Sendable {
    private let documents = Mutex<[(FetchedDocument, Upstream)]>([])

    var first: (FetchedDocument, Upstream)? { documents.withLock { $0.first } }

    func note(_ document: FetchedDocument, of upstream: Upstream) {
        documents.withLock { $0.append((document, upstream)) }
    }
}
