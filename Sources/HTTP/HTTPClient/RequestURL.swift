// Unsafe: libcurl's C interface. A base owns its `CURLU *`, and each handle that uses it keeps the base.
// `URLParts` frees its own in `init`, and copies the texts.
import CCurl
import HTTPCore

/// The parts of a URL: the base that a connection leads to, and the target of the request.
///
/// libcurl parses a URL and writes it anew for each transfer, character by character; a base is parsed once.
struct RequestURL {
    /// `scheme://host:port`, which the path and the query follow.
    let base: Substring

    /// Splits a URL without user name, fragment and characters that belong to no URL; nil leaves others to libcurl.
    init?(_ url: String) {
        let bytes = url.utf8.span
        guard bytes.count > 8, bytes[0] == UInt8(ascii: "h") else { return nil }
        var index = bytes[4] == UInt8(ascii: "s") ? 8 : 7
        guard bytes.equals(0..<index, index == 8 ? "https://" : "http://") else { return nil }
        while index < bytes.count, bytes[index] != UInt8(ascii: "/") {
            guard Self.isPlain(bytes[index]), bytes[index] != UInt8(ascii: "@"), bytes[index] != UInt8(ascii: "?")
            else {
                return nil
            }
            index += 1
        }
        guard index < bytes.count else { return nil }
        for index in index..<bytes.count where !Self.isPlain(bytes[index]) { return nil }
        base = url[..<url.utf8.index(url.startIndex, offsetBy: index)]
    }

    private static func isPlain(_ byte: UInt8) -> Bool { 0x21...0x7E ~= byte && byte != UInt8(ascii: "#") }
}

/// The base of URLs, as libcurl has parsed it.
final class ParsedBase {
    /// A copy, which does not keep the URL.
    let text: String
    let pointer: OpaquePointer
    let origin: Origin

    /// Parses `base`; nil if libcurl does not accept it.
    init?(_ base: Substring) {
        text = String(base)
        guard let pointer = curl_url() else { return nil }
        guard curl_url_set(pointer, CURLUPART_URL, text, 0) == CURLUE_OK else {
            curl_url_cleanup(pointer)
            return nil
        }
        self.pointer = pointer
        origin = Origin(url: text, unixSocketPath: nil)
    }

    deinit { curl_url_cleanup(pointer) }

    func set(on handle: UnsafeMutableRawPointer) {
        weir_set_url(handle, pointer)
        // Otherwise libcurl writes the text of the base anew.
        text.withCString { _ = weir_set_text(handle, CURLOPT_URL, $0) }
    }
}

struct URLParts {
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

extension RedirectPolicy {
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
