package import EventLoop
package import HTTPClient
package import HTTPCore
package import Telemetry

/// The instant at which a client's request must be answered, and the share of the time that each upstream gets.
struct FetchDeadline: Sendable {
    /// Transfers end up to a millisecond early, and nothing is worth trying in so little time.
    private static let shortestTry = Duration.milliseconds(2)

    let end: MonotonicTime

    func hasPassed(at now: MonotonicTime) -> Bool { end <= now + Self.shortestTry }

    /// Returns the instant until which an upstream may be tried if `count` upstreams, itself included, are still untried.
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
package struct FetchContext: Sendable {
    package let client: Client
    package let shard: Shard
    package let clock: Clock
    /// The end of the upstream's share of the time.
    package private(set) var end: MonotonicTime
    /// Whether no other upstream can be asked if this one fails.
    let isLast: Bool
    /// The position of the client's request in a trace.
    package let trace: TraceContext?
    package var tries: UpstreamTries
    /// The template of the client's route.
    private(set) var route = ""
    var cacheNote = LatestCacheNote()
    var purpose = FetchPurpose.client
    /// Whether no client waits: then the log has no line of a request that names the failure.
    private(set) var isInBackground = false
    /// The fields of the client's request.
    var clientFields = HeaderFields()
    /// The stale documents that may serve if all upstreams fail.
    var stale = StaleDocuments()

    package init(
        client: Client, shard: Shard, clock: Clock, end: MonotonicTime, isLast: Bool, trace: TraceContext?,
        tries: UpstreamTries
    ) {
        (self.client, self.shard, self.clock, self.end) = (client, shard, clock, end)
        (self.isLast, self.trace, self.tries) = (isLast, trace, tries)
    }

    init(_ call: ClientCall, end: MonotonicTime, isLast: Bool, stale: StaleDocuments) {
        self.init(
            client: call.context.client, shard: call.context.shard, clock: call.context.clock, end: end,
            isLast: isLast, trace: call.trace, tries: call.tries)
        (clientFields, self.stale, route) = (call.request.headers, stale, call.route?.template ?? "")
    }

    /// The current instant, on the clock of all deadlines.
    package var now: MonotonicTime { clock.now() }

    /// The time to read a stale document after its upstream has used up all of it.
    private static let timeToRead = Duration.milliseconds(500)

    /// The context in which a stale document is read.
    var withTimeToRead: FetchContext {
        var context = self
        context.end = max(end, now + Self.timeToRead)
        return context
    }

    /// The context of a request that replaces a stale document, and for which no client waits.
    var forRefresh: FetchContext {
        var context = self
        (context.purpose, context.isInBackground) = (.refresh, true)
        (context.tries, context.cacheNote, context.stale) = (UpstreamTries(), LatestCacheNote(), StaleDocuments())
        return context
    }
}
