package import API
import Synchronization
package import EventLoop
package import HTTPClient
package import HTTPCore
package import Operations

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

/// What the tries of one upstream for one request have in common; a class, because each stage holds it.
package final class FetchContext: Sendable {
    package let client: Client
    package let shard: Shard
    package let clock: Clock
    /// The end of the upstream's share of the time.
    package let end: MonotonicTime
    /// Whether no other upstream can be asked if this one fails.
    let isLast: Bool
    /// What the request has led to so far.
    package let trace: FetchTrace
    /// The position of the client's request in a trace (W3C).
    let position: TraceContext?
    /// The template of the client's route.
    let route: String
    /// The client's request; nil if no client has made one.
    private let call: ClientCall?
    /// The fields of the client's request.
    let clientFields: HeaderFields
    /// Whether no client waits: then the log has no line of a request that names the failure.
    let isInBackground: Bool
    /// The price that the client pays if an upstream is asked; nil for none.
    let miss: ClientMiss?
    /// The longest time in the queue of an upstream, beside the upstream's own; nil for no other.
    let maximumQueue: Duration?

    /// The context of a request that no client has made.
    package convenience init(
        client: Client, shard: Shard, clock: Clock, end: MonotonicTime, isLast: Bool = true,
        trace: FetchTrace = FetchTrace()
    ) {
        self.init(client, shard, clock, end, isLast: isLast, trace, nil, route: "", HeaderFields(), nil)
    }

    /// The context of a client's request.
    convenience init(_ call: ClientCall, end: MonotonicTime, isLast: Bool, maximumQueue: Duration? = nil) {
        let context = call.context
        self.init(
            context.client, context.shard, context.clock, end, isLast: isLast, call.trace, call.position,
            route: call.route?.template ?? "", call.request.headers, call, miss: call.miss, maximumQueue: maximumQueue)
    }

    private init(
        _ client: Client, _ shard: Shard, _ clock: Clock, _ end: MonotonicTime, isLast: Bool, _ trace: FetchTrace,
        _ position: TraceContext?, route: String, _ clientFields: HeaderFields,
        _ call: ClientCall?, isInBackground: Bool = false, miss: ClientMiss? = nil, maximumQueue: Duration? = nil
    ) {
        (self.miss, self.maximumQueue) = (miss, maximumQueue)
        (self.client, self.shard, self.clock, self.end) = (client, shard, clock, end)
        (self.isLast, self.trace, self.position, self.route) = (isLast, trace, position, route)
        (self.clientFields, self.call, self.isInBackground) = (clientFields, call, isInBackground)
    }

    /// The client's request, as a record of its document may have it.
    var origin: DocumentOrigin? { call.flatMap { $0.origins?.origin(of: $0.request) } }

    /// The current instant, on the clock of all deadlines.
    package var now: MonotonicTime { clock.now() }

    /// The time to read a stale document after its upstream has used up all of it.
    private static let timeToRead = Duration.milliseconds(500)

    /// The context of a request that may take half of the time that is left.
    package var withHalfOfTheTime: FetchContext { with(end: now + (end - now) / 2) }

    /// The context in which a stale document is read.
    var withTimeToRead: FetchContext { with(end: max(end, now + Self.timeToRead)) }

    /// The context of a request that replaces a stale document, and for which no client waits.
    var forRefresh: FetchContext { with(FetchTrace(), isInBackground: true) }

    /// Returns the context of a request with another end or trace, or of one for which no client waits.
    func with(
        end: MonotonicTime? = nil, _ trace: FetchTrace? = nil, isInBackground: Bool? = nil
    ) -> FetchContext {
        FetchContext(
            client, shard, clock, end ?? self.end, isLast: isLast, trace ?? self.trace, position, route: route,
            clientFields, call, isInBackground: isInBackground ?? self.isInBackground,
            miss: isInBackground == true ? nil : miss, maximumQueue: maximumQueue)
    }
}

/// A client's request on its way to a document; a class, because each request holds it several times.
package final class ClientCall: Sendable {
    package let request: Request
    package let context: ShardContext
    /// The position of the request in a trace (W3C); nil for probes.
    let position: TraceContext?
    /// What the request has led to so far.
    package let trace: FetchTrace
    /// The route; nil for one that counters and logs do not tell from others.
    package let route: RouteLabel?
    /// The number of the router: with another configuration, the target can mean something else.
    let edition: Int
    /// The price that the client pays if an upstream is asked; nil for none.
    package let miss: ClientMiss?
    /// The rule for requests in records of documents; nil if no record has one.
    let origins: OriginRule?

    package init(
        _ request: Request, _ route: RouteLabel?, _ context: ShardContext, trace position: TraceContext?, edition: Int,
        _ trace: FetchTrace = FetchTrace(), miss: ClientMiss? = nil, origins: OriginRule? = nil
    ) {
        (self.miss, self.origins) = (miss, origins)
        (self.request, self.context, self.position, self.trace) = (request, context, position, trace)
        (self.route, self.edition) = (route, edition)
    }

    /// The call for one of several documents, whose tries are also those of the whole call.
    var forPart: ClientCall {
        ClientCall(
            request, route, context, trace: position, edition: edition, FetchTrace(of: trace), miss: miss,
            origins: origins)
    }

    /// Remembers the document that the request has led to, if the next client of the same target gets that document too.
    func remember(_ answer: Answer, _ form: AnswerForm) {
        let document = answer.document
        guard answer.isFirstChoice, answer.cacheOutcome != nil, document.freshness != nil, !form.isExplained,
            form.dependsOnTargetAlone, form.callback == nil
        else { return }
        let entry = TargetCache.Entry(
            target: Array(request.target.rawBytes), edition: edition, key: document.key, form: form.key,
            countsClient: document.policy?.countsClientDirectives == true,
            account: answer.upstream.credentials.account)
        context.memo.run { $0.remember(entry) }
    }
}

/// What the upstreams of one request have done so far: the tries, which the record of the exchange shares, the part that the
/// cache took in the latest failure, and the stale document that may serve.
///
/// The task of the request owns it; another shard runs the tries of a flight that clients share.
package final class FetchTrace: Sendable {
    private struct State {
        var note: CacheNote?
        var stale: (answer: Answer, fetch: Fetch)?
    }

    /// The tries to get documents for the request.
    package let tries: UpstreamTries
    /// The keys of the documents that a request would ask for; nil in requests of clients, which ask.
    let keys: FollowedKeys?
    /// The documents of snapshots that answer in place of upstreams; nil in requests of clients.
    let replayed: ReplayedRequest?
    private let state = Mutex(State())

    /// A trace whose tries are added to these.
    package init(_ tries: UpstreamTries) { (self.tries, keys, replayed) = (tries, nil, nil) }

    /// A trace without tries; later tries are added to `whole` too.
    package init(
        of whole: FetchTrace? = nil, following keys: FollowedKeys? = nil, replaying replayed: ReplayedRequest? = nil
    ) {
        (tries, self.keys) = (UpstreamTries(of: whole?.tries), keys ?? whole?.keys)
        self.replayed = replayed ?? whole?.replayed
    }

    /// The part that the cache took in the failure of the upstream that was asked last; nil if it took none.
    package var cacheNote: CacheNote? {
        get { state.withLock { $0.note } }
        set { state.withLock { $0.note = newValue } }
    }

    /// The stale document of the first upstream that has one.
    var stale: (answer: Answer, fetch: Fetch)? { state.withLock { $0.stale } }

    /// Notes a stale document that may serve if all upstreams fail, and the fetch that it answers.
    func note(_ stale: Answer, _ fetch: Fetch) {
        state.withLock { $0.stale = $0.stale ?? (stale, fetch) }
    }
}
