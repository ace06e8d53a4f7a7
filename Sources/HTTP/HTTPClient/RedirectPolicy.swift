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
