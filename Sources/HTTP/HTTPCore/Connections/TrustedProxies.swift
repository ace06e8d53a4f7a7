/// The proxies that Weir trusts to name the client of a request.
public struct TrustedProxies: Sendable {
    /// The field in which proxies name the client; they pass the other one on as the client wrote it.
    public enum Field: String, CaseIterable, Sendable {
        /// RFC 7239.
        case forwarded = "Forwarded"
        /// A list of addresses, the nearest hop last.
        case xForwardedFor = "X-Forwarded-For"
    }

    /// The addresses of the proxies.
    public var networks: [ClientNetwork]
    /// The field that they extend.
    public var field: Field

    /// Trusts proxies in `networks`.
    public init(_ networks: [ClientNetwork] = [], field: Field = .xForwardedFor) {
        (self.networks, self.field) = (networks, field)
    }

    /// Returns the client of a request that came from `peer`: the last hop that is not a trusted proxy.
    ///
    /// If a trusted proxy names no valid address, that proxy is the client.
    public func client(of headers: HeaderFields, from peer: ClientAddress) -> ClientAddress {
        source(of: headers, from: peer).client
    }

    /// Returns who has sent a request that came from `peer`.
    public func source(of headers: HeaderFields, from peer: ClientAddress) -> RequestSource {
        guard !networks.isEmpty, isTrusted(peer) else { return RequestSource(client: peer) }
        return RequestSource(client: lastHop(of: headers, from: peer), isFromProxy: true)
    }

    private func lastHop(of headers: HeaderFields, from peer: ClientAddress) -> ClientAddress {
        let bytes = headers.bytes.span
        var client = peer
        for line in headers.lines(field.rawValue).reversed() {
            var rest = line.value
            while !rest.isEmpty {
                let start = lastElement(bytes, rest)
                let element = bytes.trimmed(start..<rest.upperBound)
                rest = rest.lowerBound..<max(rest.lowerBound, start - 1)
                if element.isEmpty { continue }
                guard let hop = hop(bytes, element) else { return client }
                client = hop
                if !isTrusted(hop) { return client }
            }
        }
        return client
    }

    /// Whether `address` is that of a trusted proxy.
    public func isTrusted(_ address: ClientAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// The start of the last element in `range`, behind a comma; in Forwarded, quoted commas do not count.
    ///
    /// From the end, where trusted proxies write: a client can leave a quoted string open in front of their elements.
    private func lastElement(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var isQuoted = false
        for index in range.reversed() {
            if bytes[index] == ASCII.comma, !isQuoted { return index + 1 }
            guard bytes[index] == ASCII.quote, field == .forwarded else { continue }
            var escapes = index
            while isQuoted, escapes > range.lowerBound, bytes[escapes - 1] == ASCII.backslash { escapes -= 1 }
            if (index - escapes).isMultiple(of: 2) { isQuoted.toggle() }
        }
        return range.lowerBound
    }

    /// The address in an element of the list.
    private func hop(_ bytes: Span<UInt8>, _ element: Range<Int>) -> ClientAddress? {
        switch field {
        case .xForwardedFor: return Self.node(bytes, element)
        case .forwarded:
            var start = element.lowerBound
            while start < element.upperBound {
                let end = Self.parameterEnd(bytes, start..<element.upperBound)
                let pair = bytes.trimmed(start..<end)
                start = end + 1
                guard pair.count > 4, bytes.matches(pair.lowerBound..<pair.lowerBound + 4, "for=") else { continue }
                var value = pair.lowerBound + 4..<pair.upperBound
                if value.count > 2, bytes[value.lowerBound] == ASCII.quote, bytes[value.upperBound - 1] == ASCII.quote {
                    value = value.lowerBound + 1..<value.upperBound - 1
                }
                return Self.node(bytes, value)
            }
            return nil
        }
    }

    /// The end of the parameter at the start of `range`, before a semicolon outside of quoted strings.
    private static func parameterEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        var index = range.lowerBound
        var isQuoted = false
        while index < range.upperBound {
            switch bytes[index] {
            case ASCII.quote: isQuoted.toggle()
            case ASCII.backslash where isQuoted: index += 1
            case ASCII.semicolon where !isQuoted: return index
            default: break
            }
            index += 1
        }
        return range.upperBound
    }

    /// The address in `192.0.2.7`, `192.0.2.7:80`, `2001:db8::1` or `[2001:db8::1]:80`.
    private static func node(_ bytes: Span<UInt8>, _ range: Range<Int>) -> ClientAddress? {
        if let address = ClientAddress(bytes.extracting(range)) { return address }
        var (host, rest) = (range, range.upperBound..<range.upperBound)
        if let first = range.first, bytes[first] == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]"), in: range),
                bytes.firstIndex(of: ASCII.colon, in: first..<end) != nil
            else { return nil }
            (host, rest) = (first + 1..<end, end + 1..<range.upperBound)
        } else if let colon = bytes.firstIndex(of: ASCII.colon, in: range) {
            (host, rest) = (range.lowerBound..<colon, colon..<range.upperBound)
        }
        guard let colon = rest.first else { return ClientAddress(bytes.extracting(host)) }
        guard bytes[colon] == ASCII.colon, let port = bytes.decimal(colon + 1..<rest.upperBound, maximum: 65_535) else {
            return nil
        }
        return ClientAddress(bytes.extracting(host), port: UInt16(port))
    }
}
