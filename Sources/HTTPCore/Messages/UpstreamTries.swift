import Synchronization

/// One try to get a document from an upstream, as logs name it; it holds no secret.
public struct UpstreamTry: Sendable {
    /// The name of the upstream.
    public let upstream: String
    /// The kind of request, such as `forecast`.
    public let requests: String
    /// The status of the response, or the reason why there is none.
    public let result: String
    /// How long it took.
    public let milliseconds: Int
    /// The bytes of the response's body, after decompression.
    public let bytes: Int
    /// The requests that the client sent: more than one after a repetition or a redirect.
    public let sent: Int
    /// Whether the connection had been used before; nil if there was no response.
    public let isReused: Bool?
    /// Whether it was made for another request, which this one waited for.
    public fileprivate(set) var isShared = false

    /// A try of the request itself.
    public init(
        upstream: String, requests: String, result: String, milliseconds: Int, bytes: Int, sent: Int, isReused: Bool?
    ) {
        (self.upstream, self.requests, self.result) = (upstream, requests, result)
        (self.milliseconds, self.bytes, self.sent, self.isReused) = (milliseconds, bytes, sent, isReused)
    }
}

/// The tries for one request of a client, or for all who share one.
public final class UpstreamTries: Sendable {
    private let list = Mutex<[UpstreamTry]>([])
    private let parent: UpstreamTries?

    /// No tries yet; those that follow are added to `parent` too.
    public init(of parent: UpstreamTries? = nil) { self.parent = parent }

    /// The tries so far, in the order of their ends.
    public var all: [UpstreamTry] { list.withLock { $0 } }

    /// Adds a try.
    public func add(_ entry: UpstreamTry) {
        list.withLock { $0.append(entry) }
        parent?.add(entry)
    }

    /// Adds what was done for another request.
    public func share(_ tries: UpstreamTries) {
        for var entry in tries.all {
            entry.isShared = true
            add(entry)
        }
    }
}
