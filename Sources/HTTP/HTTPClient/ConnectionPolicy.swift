// Unsafe: libcurl's C interface. `apply` gets a handle that its caller owns; libcurl copies the texts.
import CCurl

/// How the client connects to an upstream, the same for all requests to it.
///
/// A class, so that a request carries one reference, however much is set.
public final class ConnectionPolicy: Sendable {
    /// A host name that is looked up before connections to it are made, and the ports of those connections.
    public struct Name: Sendable, Hashable {
        let host: String
        let ports: [Int]

        /// The name `host` for connections to `ports`.
        public init(host: String, ports: [Int]) { (self.host, self.ports) = (host.lowercased(), ports) }
    }

    /// The policy of requests that name no other.
    public static let standard = ConnectionPolicy()

    /// The host to look up; nil if there is nothing to look up, or to leave it to libcurl.
    let name: Name?
    /// How long the addresses of a name are used.
    let nameLifetime: Duration
    let addresses: AddressPolicy
    let tls: TLSPolicy
    let unixSocketPath: String?
    let proxy: String?
    let idleSeconds: Int
    let lifetimeSeconds: Int?

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

    func apply(to handle: UnsafeMutableRawPointer, isTLS: Bool) {
        // The empty texts also turn off the proxies, and the exceptions from them, that the environment names.
        (proxy ?? "").withCString { _ = weir_set_text(handle, CURLOPT_PROXY, $0) }
        weir_set_text(handle, CURLOPT_NOPROXY, "")
        if proxy != nil {
            weir_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            tls.applyToProxy(of: handle)
        }
        weir_set_long(handle, CURLOPT_MAXAGE_CONN, idleSeconds)
        if let lifetimeSeconds { weir_set_long(handle, CURLOPT_MAXLIFETIME_CONN, lifetimeSeconds) }
        if let unixSocketPath { weir_set_text(handle, CURLOPT_UNIX_SOCKET_PATH, unixSocketPath) }
        if isTLS { tls.apply(to: handle) }
    }
}
