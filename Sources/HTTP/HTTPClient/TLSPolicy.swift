// Unsafe: libcurl's C interface. `apply` gets a handle that its caller owns; libcurl copies the texts.
import CCurl

/// The client's demands on an upstream's TLS, and the certificate that the client presents.
public struct TLSPolicy: Sendable, Hashable {
    /// The versions of TLS from which on the client accepts one.
    public enum Version: String, Sendable, CaseIterable {
        /// TLS 1.2 (RFC 5246) and later.
        case tls12 = "1.2"
        /// TLS 1.3 (RFC 8446) and later.
        case tls13 = "1.3"
    }

    /// A file with the certificates to trust, in PEM, in place of the system's.
    public var authorities: String?
    /// How long the client uses authorities that it has read.
    public var authoritiesLifetime = Duration.seconds(300)
    /// The lowest version that is accepted.
    public var minimumVersion = Version.tls12
    /// A file with the client's certificate and those that lead to its authority, in PEM.
    public var certificate: String?
    /// The file with the key of that certificate, in PEM, without a passphrase.
    public var key: String?
    /// The public keys that the upstream may have: `sha256//` and base64, separated by semicolons.
    public var publicKeys: String?

    /// The system's authorities, TLS 1.2 or later, and nothing else.
    public init() {}

    func apply(to handle: UnsafeMutableRawPointer) {
        demand(of: handle, version: CURLOPT_SSLVERSION, folder: CURLOPT_CAPATH, file: CURLOPT_CAINFO)
        if let certificate {
            weir_set_text(handle, CURLOPT_SSLCERT, certificate)
            weir_set_text(handle, CURLOPT_SSLKEY, key)
            // Otherwise OpenSSL asks for the passphrase of an encrypted key on the terminal, and blocks the loop.
            weir_set_text(handle, CURLOPT_KEYPASSWD, "")
        }
        if let publicKeys { weir_set_text(handle, CURLOPT_PINNEDPUBLICKEY, publicKeys) }
    }

    /// Demands the version and the authorities of a proxy; its key is another one, and it does not get the certificate.
    func applyToProxy(of handle: UnsafeMutableRawPointer) {
        demand(
            of: handle, version: CURLOPT_PROXY_SSLVERSION, folder: CURLOPT_PROXY_CAPATH, file: CURLOPT_PROXY_CAINFO)
    }

    private func demand(
        of handle: UnsafeMutableRawPointer, version: CURLoption, folder: CURLoption, file: CURLoption
    ) {
        let lowest = minimumVersion == .tls13 ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2
        weir_set_long(handle, version, Int(lowest))
        // Whoever resumes a session checks no certificate: an authority that is withdrawn would be trusted for as long.
        weir_set_long(handle, CURLOPT_SSL_SESSIONID_CACHE, 0)
        if Self.hasBundle || authorities != nil {
            // Debian's libcurl also reads a folder of the same certificates. With it, a configured file would only add to
            // the system's, and libcurl would parse all of them for each connection instead of keeping them.
            weir_set_text(handle, folder, nil)
            weir_set_long(handle, CURLOPT_CA_CACHE_TIMEOUT, Int(authoritiesLifetime.components.seconds))
        }
        if let authorities { weir_set_text(handle, file, authorities) }
    }

    /// Whether libcurl was built with a file of the system's certificates.
    private static let hasBundle: Bool = {
        guard let handle = curl_easy_init() else { return false }
        defer { curl_easy_cleanup(handle) }
        return weir_has_text(handle, CURLINFO_CAINFO) != 0
    }()
}
