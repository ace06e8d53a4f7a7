public import HTTPCore

/// A GET to an upstream.
public struct OutgoingRequest: Sendable {
    /// The whole URL, http or https; a secret, because it can contain a key.
    public var url: Secret
    /// Header fields to send in addition to the client's own.
    public var headers: [(name: String, value: Secret)] = []
    /// The time for the whole exchange, including the wait for a free place.
    public var deadline = Duration.seconds(5)
    /// The largest body that is accepted, in bytes, after its content coding is decoded.
    public var maximumBodyBytes = 16 << 20
    /// The Unix domain socket to connect to instead of the URL's host.
    public var unixSocketPath: String?

    /// A GET of `url`.
    public init(url: Secret) { self.url = url }
}
