public import EventLoop
public import HTTPCore

/// An HTTP client on the event loop of one shard, over libcurl.
///
/// Each fetch begins at once; the callers limit how many run at a time.
public final class Client: Sendable {
    private let multi: ShardBound<MultiHandle>
    private let resolver: Resolver

    /// A client on `shard` that keeps up to `maximumConnections` connections open, used or not.
    ///
    /// To one host and port it has `maximumHostConnections` at most, 0 for any number: further transfers wait for one.
    public init(
        on shard: Shard, maximumConnections: Int = 32, maximumHostConnections: Int = 0, resolver: Resolver = .shared
    ) {
        self.resolver = resolver
        let multi = MultiHandle(
            shard, maximumConnections: maximumConnections, maximumHostConnections: maximumHostConnections)
        self.multi = ShardBound(multi, to: shard)
    }

    // The last reference can be released on any thread, the sockets on the shard's only.
    deinit { multi.post { $0.close() } }

    /// Fetches a response, whatever its status, after the redirects that the request's policy follows.
    /// - Throws: `TransferError` if there is no response.
    public nonisolated(nonsending) func fetch(_ request: consuming OutgoingRequest) async throws(TransferError)
        -> IncomingResponse
    {
        // Apart, because each asynchronous function needs memory for its copies of the request.
        if case .sameHost = request.redirects { return try await fetchFollowing(request) }
        return request.policy.name == nil ? try await transfer(request) : try await fetchOnce(request)
    }

    private nonisolated(nonsending) func fetchFollowing(_ request: consuming OutgoingRequest)
        async throws(TransferError)
        -> IncomingResponse
    {
        let end = MonotonicTime.now + request.deadline
        var count = 0
        while true {
            let response = try await fetchOnce(copy request)
            guard let url = try request.redirects.target(of: response, from: request.url, after: count) else {
                return response
            }
            (request.url, request.deadline) = (url, end - .now)
            request.noteRedirect?()
            count += 1
        }
    }

    private nonisolated(nonsending) func fetchOnce(_ request: consuming OutgoingRequest) async throws(TransferError)
        -> IncomingResponse
    {
        guard let name = request.policy.name else { return try await transfer(request) }
        request.addresses = resolver.known(name.host, notOlderThan: request.policy.nameLifetime)
        if request.addresses != nil { return try await transfer(request) }
        let start = MonotonicTime.now
        do throws(Resolver.Failure) {
            request.addresses = try await resolver.addresses(
                of: name.host, notOlderThan: request.policy.nameLifetime,
                until: start + min(request.deadline, request.connectTimeout), on: multi.shard)
        } catch {
            switch error {
            case .unknown: throw request.policy.proxy == nil ? .unknownHost : .proxyUnreachable
            case .temporary: throw request.policy.proxy == nil ? .noNameServer : .proxyUnreachable
            case .tooSlow: throw request.connectTimeout < request.deadline ? .connectTimedOut : .tooSlow
            case .cancelled: throw .cancelled
            }
        }
        let elapsed = MonotonicTime.now - start
        request.deadline -= elapsed
        request.connectTimeout -= elapsed
        request.firstByteTimeout = request.firstByteTimeout.map { $0 - elapsed }
        return try await transfer(request)
    }

    private nonisolated(nonsending) func transfer(_ request: consuming OutgoingRequest) async throws(TransferError)
        -> IncomingResponse
    {
        let multi = multi
        let fetch = PendingFetch(request)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                fetch.wait(continuation)
                multi.run { $0.begin(fetch) }
            }
        } onCancel: {
            fetch.cancel()
            multi.post { $0.cancel(fetch) }
        }
        return try result.get()
    }

    /// Changes the limits of `init`; transfers that run continue.
    public func resize(maximumConnections: Int, maximumHostConnections: Int = 0) {
        multi.post { $0.resize(maximumConnections: maximumConnections, maximumHostConnections: maximumHostConnections) }
    }

    /// Ends all transfers.
    public func stop() { multi.post { $0.stop() } }
}

/// A GET to an upstream, or a POST that only reads.
public struct OutgoingRequest: Sendable {
    /// The URL, http or https; a secret, because it can contain a key.
    public var url: Secret
    /// Header fields to send in addition to the client's own.
    public var headers: [(name: String, value: Secret)] = []
    /// Returns the header fields of a signature; called for each request that is sent, because a signature has a text that
    /// no other request may have.
    public var sign: (@Sendable () -> [(name: String, value: Secret)])?
    /// The version of the document that the caller has; the response says whether there is another one.
    public var validators: Validators?
    /// The content to POST instead; a secret, because it can have keys.
    ///
    /// The type is that of forms (`application/x-www-form-urlencoded`), unless `headers` name another one.
    public var content: Secret?
    /// The time until the response is complete.
    public var deadline = Duration.seconds(5)
    /// The time until there is a connection, including the look-up of the name and the TLS handshake.
    public var connectTimeout = Duration.seconds(1)
    /// The time until the head of a response begins to arrive, from the start of the transfer; nil for no limit.
    public var firstByteTimeout: Duration?
    /// The bytes per second below which a response is too slow, on average over `minimumRateSeconds`; 0 for no limit.
    public var minimumRate = 0
    /// The number of seconds over which the rate of a response is measured.
    public static let minimumRateSeconds = 2
    /// The largest body that is accepted, in bytes, after its content coding is decoded.
    public var maximumBodyBytes = 16 << 20
    /// Called on the shard with the decoded length that the body will have at least; false ends the transfer.
    public var reserveBody: (@Sendable (_ bytes: Int) -> Bool)?
    /// Called on the shard for each request that is sent: also for one that is repeated, and after each redirect.
    public var noteSent: (@Sendable () -> Void)?
    /// Called on the shard if a request that was sent fails, with the bytes of the body that have arrived, and whether the
    /// connection had been used before.
    public var noteFailure: (@Sendable (_ bytes: Int, _ isReused: Bool) -> Void)?
    /// Called for each redirect that is followed.
    public var noteRedirect: (@Sendable () -> Void)?
    /// The largest header section that is accepted, in bytes, with interim responses and trailers.
    public var maximumHeadBytes = 64 << 10
    /// The largest number of header fields that is accepted, with those of interim responses and trailers.
    public var maximumFields = 200
    /// How to connect.
    public var policy = ConnectionPolicy.standard
    /// Which redirects to follow.
    public var redirects = RedirectPolicy.never
    /// The addresses of the policy's host name.
    var addresses: HostAddresses?

    /// A GET of `url`.
    public init(url: Secret) { self.url = url }
}

/// An upstream's response, whatever its status.
public struct IncomingResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The header fields of the final response; trailer fields are not among them.
    public var headers: HeaderFields
    /// The body, with its content coding decoded.
    public var body: [UInt8]
    /// Whether the document is still the one that the request's `validators` name, so that the body is empty.
    public internal(set) var isNotModified = false
    /// Whether it arrived on a connection that had been used before.
    public internal(set) var isReused: Bool

    /// Whether the upstream has sent bytes that belong to no response, with this one or in the last minutes, so that its
    /// connections are not reused.
    public internal(set) var isFromSuspect = false

    /// A response from its parts, for tests.
    public init(
        status: Int = 200, headers: HeaderFields = HeaderFields(), body: [UInt8] = [], isReused: Bool = false
    ) {
        self.isReused = isReused
        self.status = status
        self.headers = headers
        self.body = body
    }
}
