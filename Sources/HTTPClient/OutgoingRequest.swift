public import HTTPCore

/// A GET to an upstream.
public struct OutgoingRequest: Sendable {
    /// The whole URL, http or https.
    ///
    /// A secret, as it may hold a key.
    public var url: Secret
    /// Fields to send beside the client's own.
    public var headers: [(name: String, value: Secret)] = []
    /// How long the whole exchange may take, waiting for its turn included.
    public var deadline = Duration.seconds(5)
    /// The largest body that is taken, in bytes, after any content coding is undone.
    public var maximumBodyBytes = 16 << 20
    /// The Unix domain socket to connect to in place of the URL's host.
    public var unixSocketPath: String?

    /// A GET of `url`.
    public init(url: Secret) { self.url = url }
}

/// An upstream's answer.
public struct IncomingResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The first Content-Type.
    public let contentType: String?
    /// The first Retry-After.
    public let retryAfter: String?
    /// The rate limit, under the first of its names that is there.
    public let rateLimit: RateLimitFields
    /// The first Date: what its sender's clock says.
    public let date: String?
    /// The first Link (RFC 8288).
    public let link: String?
    /// The body, its content coding undone.
    public let body: [UInt8]
}
