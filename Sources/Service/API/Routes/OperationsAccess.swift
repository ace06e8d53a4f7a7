package import HTTPCore

/// Which requests of browsers reach the routes for operators: those of the service's own pages, at a known host.
///
/// Without this rule, a page of another site could command the service through an operator's browser, and a name that
/// leads to the service's address (DNS rebinding) would make such a page one of the same origin. Requests of scrapers,
/// probes and commands have neither `Sec-Fetch-Site` nor `Origin`, are not `Mozilla`, and pass.
package struct OperationsAccess: Sendable {
    /// The names of the service, in lower case and without ports.
    private let hosts: [[UInt8]]

    /// Admits requests of browsers for these names, besides `localhost` and addresses.
    package init(hosts: [String] = []) { self.hosts = hosts.map { Array($0.lowercased().utf8) } }

    /// Returns why a request is refused; nil if it is not.
    package func refusal(of request: Request) -> Problem? {
        let site = request.headers.bytes("Sec-Fetch-Site"), origin = request.headers.bytes("Origin")
        // Browsers send neither with a GET to their own site if that has no TLS; all of them are `Mozilla`.
        let agent = request.headers.bytes("User-Agent")
        guard site != nil || origin != nil || agent?.starts(with: "Mozilla/".utf8) == true else { return nil }
        let host = Self.name(request.headers.bytes("Host") ?? [])
        guard Self.isAddress(host) || host == Array("localhost".utf8) || hosts.contains(host) else {
            return Problem(
                .foreignRequest,
                "Browsers do not reach this path at this host. Use an address or localhost, or add the host to the setting server.hosts.",
                status: .misdirectedRequest)
        }
        let isNavigation = request.method == .get && Self.equals(request.headers.bytes("Sec-Fetch-Mode"), "navigate")
        guard Self.isForeign(site, origin, host), !isNavigation else { return nil }
        return Problem(
            .foreignRequest,
            "A page of another site made this request. Open the page of this service, or use a client that is no browser."
        )
    }

    /// Whether a page of another site made a request; the browser's own word counts before the origin, which a proxy can
    /// make foreign.
    private static func isForeign(_ site: ArraySlice<UInt8>?, _ origin: ArraySlice<UInt8>?, _ host: [UInt8]) -> Bool {
        if equals(site, "cross-site") { return true }
        if equals(site, "same-origin") || equals(site, "none") { return false }
        guard let origin else { return false }
        // `null`, the origin of a sandbox or a file, is no host either.
        guard let start = origin.firstRange(of: Array("://".utf8))?.upperBound else { return true }
        return name(origin[start...]) != host
    }

    /// Returns the host of `host[:port]` in lower case.
    private static func name(_ authority: ArraySlice<UInt8>) -> [UInt8] {
        let end =
            authority.first == UInt8(ascii: "[")
            ? authority.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 } : authority.lastIndex(of: UInt8(ascii: ":"))
        return authority[..<(end ?? authority.endIndex)].map(lowercase)
    }

    /// Whether a host is an IPv6 address in brackets or an IPv4 address.
    private static func isAddress(_ host: [UInt8]) -> Bool {
        if host.first == UInt8(ascii: "[") { return host.last == UInt8(ascii: "]") }
        let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { 1...3 ~= $0.count && $0.allSatisfy { 48...57 ~= $0 } }
    }

    private static func equals(_ value: ArraySlice<UInt8>?, _ word: String) -> Bool {
        value.map { $0.map(lowercase).elementsEqual(word.utf8) } ?? false
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 { 65...90 ~= byte ? byte + 32 : byte }
}

extension RouteDescription {
    /// Whether the route is for operators and monitoring, which the pages of other sites must not reach.
    package var isForOperators: Bool { isProbe || name == "metrics" || template.text.hasPrefix("/-/") }
}
