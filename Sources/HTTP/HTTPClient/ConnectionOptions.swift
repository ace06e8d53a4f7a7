// Unsafe: libcurl's C interface. `apply` gets a handle that its caller owns; libcurl copies the texts.
import CCurl
import HTTPCore

// The options of libcurl that a policy means.
extension ConnectionPolicy {
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

extension TLSPolicy {
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
