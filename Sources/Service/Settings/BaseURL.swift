import Glibc
package import HTTPCore

/// The address of an upstream: `http` or `https`, a host, an optional port and a path (RFC 3986 §3), and nothing else.
package struct BaseURL: Sendable {
    /// What is wrong with a text, without quoting it: it may contain a key by mistake.
    package struct Fault: Error, Equatable {
        package let detail: String
        package init(_ detail: String) { self.detail = detail }
    }

    /// The host in lower case, without the brackets of an IPv6 address.
    package let host: String
    /// The port, by default the scheme's.
    package let port: Int
    /// Whether the port is written.
    let hasPort: Bool
    /// The scheme, the host and the port.
    package let origin: String
    /// The segments of the path as written; none for the root.
    private let segments: [Substring]

    package init(_ text: String) throws(Fault) {
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Fault("must not hold spaces or characters that are not ASCII")
        }
        let lowercased = text.lowercased()
        guard let scheme = ["http://", "https://"].first(where: lowercased.hasPrefix) else {
            throw Fault("must start with http:// or https://")
        }
        let rest = text.dropFirst(scheme.count)
        if rest.contains("@") { throw Fault("must not hold a user or a password") }
        if rest.contains("?") || rest.contains("#") { throw Fault("must not have a query or a fragment") }
        let authority = rest.prefix { $0 != "/" }
        try Self.check(authority: authority)
        origin = scheme + authority
        let hostText =
            authority.first == "[" ? authority.prefix { $0 != "]" }.dropFirst() : authority.prefix { $0 != ":" }
        host = hostText.lowercased()
        let written = authority[hostText.endIndex...].split(separator: ":").last.flatMap { Int($0) }
        hasPort = written != nil
        port = written ?? (scheme == "http://" ? 80 : 443)
        segments = rest[authority.endIndex...].split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(
            \.self)
        try Self.check(path: rest[authority.endIndex...])
    }

    /// Whether there is more after the host and the port than a slash.
    var hasPath: Bool { segments.contains { !$0.isEmpty } }

    /// Whether the host is an IP address.
    var isAddress: Bool { ClientAddress(host.utf8.span) != nil }

    /// Whether the host is this one by its name (RFC 6761 §6.3).
    var isLocalhost: Bool { host == "localhost" || host.hasSuffix(".localhost") }

    /// The address with `***` in place of the segments that are not known to be no keys.
    package var withoutSecrets: String {
        origin + segments.map { "/" + (Self.isKnown($0) ? String($0) : "***") }.joined()
    }

    /// The segments to remove from answers, decoded: those that are no ordinary words there.
    package var secrets: [Secret] {
        segments.filter { !Self.isKnown($0) && !Self.isPlain($0) }.map {
            let segment = String($0)
            return Secret(PercentCoding.decode(segment.utf8.span) ?? segment)
        }
    }

    /// Whether a segment consists of words, or is a version or a date, and too short for most keys.
    private static func isPlain(_ segment: Substring) -> Bool {
        let words = segment.split { $0 == "-" || $0 == "_" }
        if words.allSatisfy({ $0.count <= 20 && $0.wholeMatch(of: /[A-Za-z]?[a-z]+/) != nil }) { return true }
        let forms = /[a-z_\-]*|[A-Z][a-z]+|v[0-9.]+|oauth[0-9]|20[0-9]{2}-[01][0-9](-[0-3][0-9])?/
        return segment.count <= 12 && segment.wholeMatch(of: forms) != nil
    }

    /// Whether a segment is one of the words in addresses of APIs, or a version; any other one may be a key.
    private static func isKnown(_ segment: Substring) -> Bool {
        words.contains(segment) || segment.wholeMatch(of: /v?[0-9]{1,2}(\.[0-9]{1,2}){0,2}/) != nil
    }

    private static let words: Set<Substring> = [
        "", "access_token", "api", "archive", "data", "dev", "forecast", "gateway", "history", "mastodon", "oauth",
        "oauth2", "otlp", "proxy", "public", "rest", "search", "test", "timemachine", "token", "traces", "tweets",
        "twitter", "weather",
    ]
}

// The authority (RFC 3986 §3.2) and the path (§3.3).
extension BaseURL {
    private static func check(authority: Substring) throws(Fault) {
        guard authority.first == "[" else {
            let host = authority.prefix { $0 != ":" }
            try check(host: host)
            return try check(port: authority[host.endIndex...])
        }
        guard let end = authority.firstIndex(of: "]") else { throw Fault("must have a ] after its IPv6 address") }
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(authority[..<end].dropFirst()), &address) == 1 else {
            throw Fault("must have an IPv6 address between [ and ]")
        }
        try check(port: authority[end...].dropFirst())
    }

    private static func check(host: Substring) throws(Fault) {
        if host.isEmpty { throw Fault("must name a host") }
        let labels = (host.last == "." ? host.dropLast() : host).split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_\-]+/) != nil }
        guard isName, host.utf8.count <= 253 else {
            throw Fault("must have a host of letters, digits, hyphens and dots, or an IPv6 address in [ and ]")
        }
        // Such a name is an address to resolvers, in forms that people do not expect.
        var address = in_addr()
        guard labels.last?.allSatisfy(\.isNumber) != true || inet_pton(AF_INET, String(host), &address) == 1 else {
            throw Fault(
                "must have an IPv4 address of four numbers from 0 to 255, or a name that does not end in a number")
        }
    }

    /// Checks what follows the host: nothing, or a colon and a port.
    private static func check(port: Substring) throws(Fault) {
        if port.isEmpty { return }
        let digits = port.dropFirst()
        guard port.first == ":", digits.wholeMatch(of: /[0-9]{1,5}/) != nil, let number = Int(digits),
            (1...65_535).contains(number)
        else { throw Fault("must have a port from 1 to 65535 after its host, or none") }
    }

    private static func check(path: Substring) throws(Fault) {
        guard path.wholeMatch(of: /(?:[A-Za-z0-9\-._~!$&'()*+,;=:@\/]|%[0-9A-Fa-f]{2})*/) != nil else {
            throw Fault("must have other characters in its path escaped, with % and two hexadecimal digits")
        }
        guard !DotSegments.arePresent(in: PercentCoding.decodeLeniently(path.replacing("+", with: "%2B"))) else {
            throw Fault("must not have . or .. in its path")
        }
    }
}
