/// How the client connects to an upstream, the same for all requests to it.
///
/// A class, so that a request carries one reference, however much is set.
public final class ConnectionPolicy: Sendable {
    /// A host name that is looked up before connections to it are made, and the ports of those connections.
    public struct Name: Sendable, Hashable {
        package let host: String
        package let ports: [Int]

        /// The name `host` for connections to `ports`.
        public init(host: String, ports: [Int]) { (self.host, self.ports) = (host.lowercased(), ports) }
    }

    /// The policy of requests that name no other.
    public static let standard = ConnectionPolicy()

    /// The host to look up; nil if there is nothing to look up, or to leave it to libcurl.
    package let name: Name?
    /// How long the addresses of a name are used.
    package let nameLifetime: Duration
    package let addresses: AddressPolicy
    package let tls: TLSPolicy
    package let unixSocketPath: String?
    package let proxy: String?
    package let idleSeconds: Int
    package let lifetimeSeconds: Int?

    /// A policy.
    ///
    /// - Parameters:
    ///   - name: The host that connections lead to, a proxy's if there is one; nil leaves it to libcurl, with a thread
    ///     for each look-up.
    ///   - nameLifetime: How long the addresses of a name are used.
    ///   - addresses: The addresses to which connections may lead; a proxy or a Unix socket may have any.
    ///   - unixSocketPath: The Unix domain socket to connect to instead of the URL's host.
    ///   - proxy: The URL of a proxy; the environment's are never used.
    ///   - idleSeconds: The time after which an unused connection is not used again.
    ///   - lifetimeSeconds: The age from which on a connection is not used again.
    public init(
        name: Name? = nil, nameLifetime: Duration = .seconds(60), addresses: AddressPolicy = .any,
        tls: TLSPolicy = TLSPolicy(), unixSocketPath: String? = nil, proxy: String? = nil, idleSeconds: Int = 60,
        lifetimeSeconds: Int? = nil
    ) {
        self.name = unixSocketPath == nil ? name : nil
        self.nameLifetime = nameLifetime
        self.addresses = unixSocketPath == nil && proxy == nil ? addresses : .any
        self.tls = tls
        (self.unixSocketPath, self.proxy) = (unixSocketPath, proxy)
        (self.idleSeconds, self.lifetimeSeconds) = (idleSeconds, lifetimeSeconds)
    }
}

/// Which redirects the client follows (RFC 9110 §15.4).
public enum RedirectPolicy: Sendable {
    /// None: the response with the redirect is the answer.
    case never
    /// Up to three, to the same host over https, on the same port or from http's to https's default port.
    case sameHost
}

/// The versions of TLS from which on a server or the client accepts one.
public enum TLSVersion: String, Sendable, CaseIterable {
    /// TLS 1.2 (RFC 5246) and later.
    case tls12 = "1.2"
    /// TLS 1.3 (RFC 8446) and later.
    case tls13 = "1.3"
}

/// The client's demands on an upstream's TLS, and the certificate that the client presents.
public struct TLSPolicy: Sendable, Hashable {
    /// A file with the certificates to trust, in PEM, in place of the system's.
    public var authorities: String?
    /// How long the client uses authorities that it has read.
    public var authoritiesLifetime = Duration.seconds(300)
    /// The lowest version that is accepted.
    public var minimumVersion = TLSVersion.tls12
    /// A file with the client's certificate and those that lead to its authority, in PEM.
    public var certificate: String?
    /// The file with the key of that certificate, in PEM, without a passphrase.
    public var key: String?
    /// The public keys that the upstream may have: `sha256//` and base64, separated by semicolons.
    public var publicKeys: String?

    /// The system's authorities, TLS 1.2 or later, and nothing else.
    public init() {}
}
