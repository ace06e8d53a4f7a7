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
