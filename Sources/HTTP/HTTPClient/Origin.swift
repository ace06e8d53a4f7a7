import HTTPCore

/// An upstream as far as connections are concerned: a scheme, host and port, or a Unix socket.
struct Origin: Hashable {
    let isTLS: Bool
    /// Whether the connection leads through a proxy with TLS.
    let hasTLSProxy: Bool
    private let address: String

    /// The origin to which `request` goes.
    init(_ request: OutgoingRequest) {
        let policy = request.policy
        self = request.url.withExposedText {
            Origin(url: $0, unixSocketPath: policy.unixSocketPath, proxy: policy.proxy)
        }
    }

    /// The origin of `url`, without user name, password and path.
    init(url: String, unixSocketPath: String?, proxy: String? = nil) {
        let bytes = url.utf8.span
        isTLS = bytes.count > 5 && bytes[4] | 0x20 == UInt8(ascii: "s")
        hasTLSProxy = proxy?.lowercased().hasPrefix("https:") == true
        // libcurl refuses a URL that has no parts.
        address = unixSocketPath ?? URLParts(url).map { "\($0.host):\($0.port)" } ?? ""
    }
}
