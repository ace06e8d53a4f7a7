// Unsafe: libcurl's C interface. The `CURLU` is created and freed in one function, and its texts are copied.
import CCurl
import HTTPCore

/// Which redirects the client follows (RFC 9110 §15.4).
public enum RedirectPolicy: Sendable {
    /// None: the response with the redirect is the answer.
    case never
    /// Up to three, to the same host over https, on the same port or from http's to https's default port.
    case sameHost

    static let maximum = 3

    private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// Returns the URL to ask next; nil if `response` is the answer.
    ///
    /// `url` is the one that was asked, after `count` redirects.
    func target(of response: IncomingResponse, from url: Secret, after count: Int) throws(TransferError) -> Secret? {
        guard case .sameHost = self, Self.statuses.contains(response.status),
            case let locations = Set(response.headers.values("Location")), let location = locations.first
        else { return nil }
        if count >= Self.maximum { throw .redirect(.tooMany) }
        guard locations.count == 1 else { throw .redirect(.unusable) }
        let parts = url.withExposedText { URLParts($0) }
        let target = url.withExposedText { URLParts(location, relativeTo: $0) }
        guard let parts, let target, !target.hasUser else { throw .redirect(.unusable) }
        guard target.scheme == "https" else { throw .redirect(.notHTTPS) }
        let isUpgrade = parts.scheme == "http" && parts.port == "80" && target.port == "443"
        guard target.host == parts.host, isUpgrade || (parts.scheme == "https" && target.port == parts.port) else {
            throw .redirect(.otherHost)
        }
        return Secret(target.url)
    }
}

/// The parts of a URL, as libcurl reads it.
private struct URLParts {
    let url: String
    let scheme: String
    let host: String
    let port: String
    let hasUser: Bool

    init?(_ text: String, relativeTo base: String? = nil) {
        guard let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
            var text: UnsafeMutablePointer<CChar>?
            guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
            defer { curl_free(text) }
            return String(cString: text)
        }
        // libcurl takes the query of the base away, which a reference without anything before its fragment keeps
        // (RFC 3986 §5.2.2).
        let isSame = text.isEmpty || text.hasPrefix("#")
        for reference in [base, isSame ? nil : text].compactMap(\.self) {
            let flags = UInt32(CURLU_PATH_AS_IS | CURLU_NON_SUPPORT_SCHEME | CURLU_URLENCODE)
            guard curl_url_set(handle, CURLUPART_URL, reference, flags) == CURLUE_OK else { return nil }
        }
        // The fragment is not for the server (RFC 9110 §7.1).
        curl_url_set(handle, CURLUPART_FRAGMENT, nil, 0)
        guard let url = part(CURLUPART_URL), let scheme = part(CURLUPART_SCHEME) else { return nil }
        (self.url, self.scheme) = (url, scheme.lowercased())
        host = part(CURLUPART_HOST)?.lowercased() ?? ""
        port = part(CURLUPART_PORT, CURLU_DEFAULT_PORT) ?? ""
        hasUser = part(CURLUPART_USER) != nil || part(CURLUPART_PASSWORD) != nil
    }
}
