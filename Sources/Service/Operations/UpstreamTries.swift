public import HTTPCore
import Synchronization

/// One try to get a document from an upstream, as logs describe it; the description holds no secret.
public struct UpstreamTry: Sendable {
    /// The name of the upstream.
    public let upstream: String
    /// The kind of request, such as `forecast`.
    public let requests: String
    /// The status of the response, or the reason why there is none.
    public let result: String
    /// How long it took.
    public let milliseconds: Int
    /// The bytes of the response's body, after decompression; of an incomplete body, the bytes that have arrived.
    public let bytes: Int
    /// The requests that the client sent: more than one after a repetition or a redirect.
    public let sent: Int
    /// Whether the connection had been used before; nil if no request was sent on one.
    public let isReused: Bool?
    /// The address of a request that failed, without keys and without its query; nil if it succeeded or was not made.
    public let url: String?
    /// The span of the try; nil without traces.
    public let span: TrySpan?
    /// Whether it was made for another request, which this one waited for.
    public fileprivate(set) var isOfOtherRequest = false

    /// A try of the request itself.
    public init(
        upstream: String, requests: String, result: String, milliseconds: Int, bytes: Int, sent: Int, isReused: Bool?,
        url: String? = nil, span: TrySpan? = nil
    ) {
        (self.upstream, self.requests, self.result) = (upstream, requests, result)
        (self.milliseconds, self.bytes, self.sent, self.isReused) = (milliseconds, bytes, sent, isReused)
        (self.url, self.span) = (url, span)
    }
}

/// The tries for one request of a client, or for all who share one.
public final class UpstreamTries: Sendable {
    private struct State {
        var ended: [UpstreamTry] = []
        var running: [(id: Int, describe: @Sendable () -> UpstreamTry)] = []
    }

    private static let latestID = Atomic(0)

    private let state = Mutex(State())
    private let parent: UpstreamTries?
    /// Whether the tries have spans.
    public let isTraced: Bool
    /// The client's `tracestate`, for its span; nil without one.
    let traceState: String?

    /// No tries yet; later tries are added to `parent` too.
    public init(of parent: UpstreamTries? = nil, isTraced: Bool = false, traceState: String? = nil) {
        self.parent = parent
        (self.isTraced, self.traceState) = (isTraced || parent?.isTraced == true, traceState)
    }

    /// The tries so far, in the order of their ends, and then those that are under way.
    public var all: [UpstreamTry] { state.withLock { $0.ended + $0.running.map { $0.describe() } } }

    /// Adds a try that begins, and returns its number; until its end, `describe` tells what is known of it.
    public func begin(_ describe: @escaping @Sendable () -> UpstreamTry) -> Int {
        let id = Self.latestID.add(1, ordering: .relaxed).newValue
        begin(id, describe)
        return id
    }

    private func begin(_ id: Int, _ describe: @escaping @Sendable () -> UpstreamTry) {
        state.withLock { $0.running.append((id, describe)) }
        parent?.begin(id, describe)
    }

    /// Notes the end of a try.
    public func end(_ id: Int, _ entry: UpstreamTry) {
        state.withLock { state in
            state.running.removeAll { $0.id == id }
            state.ended.append(entry)
        }
        parent?.end(id, entry)
    }

    /// Adds what was done for another request.
    public func share(_ tries: UpstreamTries) {
        add(
            tries.all.map { entry in
                var entry = entry
                entry.isOfOtherRequest = true
                return entry
            })
    }

    private func add(_ entries: [UpstreamTry]) {
        state.withLock { $0.ended += entries }
        parent?.add(entries)
    }
}

// What the service notes of an exchange.
extension ExchangeNote {
    /// The number of values that were repaired in the upstream's document.
    public var repaired: Int32 {
        get { counts.0 }
        set { counts.0 = newValue }
    }

    /// The number of values that were dropped from the upstream's document.
    public var dropped: Int32 {
        get { counts.1 }
        set { counts.1 = newValue }
    }

    /// The tries to get the document; nil if the answer needed none.
    public var tries: UpstreamTries? {
        get { details as? UpstreamTries }
        set { details = newValue }
    }
}
