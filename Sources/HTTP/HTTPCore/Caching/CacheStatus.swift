/// How a cache handled a request: the value of Cache-Status (RFC 9211).
public struct CacheStatus: Sendable, Equatable {
    /// Why the request went to the upstream: the parameter `fwd` (§2.2).
    public enum Reason: String, Sendable, CaseIterable {
        /// The method requires it.
        case method
        /// Nothing was stored for the URI.
        case uriMiss = "uri-miss"
        /// Nothing stored was usable.
        case miss
        /// The stored response was fresh, but the client did not accept the response.
        case request
        /// The stored response was stale.
        case stale
    }

    /// Why the request went to the upstream; nil if the cache answered it alone, which is a hit.
    public var reason: Reason?
    /// The status of the upstream's response, if the answer has another one (`fwd-status`).
    public var forwardStatus: Status?
    /// The seconds for which the answer is still fresh; negative if it is stale (`ttl`).
    public var remaining: Int?
    /// Whether the cache stored the upstream's response (`stored`).
    public var isStored = false
    /// Whether the request waited for the upstream call of another one (`collapsed`).
    public var isCollapsed = false
    /// A detail for operators, such as the name of a failure (`detail`).
    public var detail: String?

    /// A hit.
    public static func hit(remaining: Int) -> CacheStatus { CacheStatus(remaining: remaining) }

    /// A request that went to the upstream for this reason, or a hit if there is none.
    public init(_ reason: Reason? = nil, remaining: Int? = nil) {
        (self.reason, self.remaining) = (reason, remaining)
    }

    /// The value of the field, of the cache called `Weir`, such as `Weir; fwd=stale; fwd-status=304; ttl=60; stored`.
    public var fieldValue: String {
        var value: [UInt8] = []
        append(to: &value)
        return String(decoding: value, as: UTF8.self)
    }

    /// Appends the value of the field; characters outside the grammar of structured fields (RFC 9651) are left out.
    public func append(to value: inout [UInt8]) {
        value.append(text: "Weir; ")
        value.append(text: reason == nil ? "hit" : "fwd=")
        if let reason {
            value.append(text: reason.rawValue)
            if let forwardStatus { value.append("; fwd-status=", forwardStatus.code) }
        }
        if let remaining { value.append("; ttl=", remaining) }
        if reason != nil, isStored { value.append(text: "; stored") }
        if reason != nil, isCollapsed { value.append(text: "; collapsed") }
        guard let detail else { return }
        // A string of structured fields has printable ASCII characters, with escapes before two of them.
        value.append(text: "; detail=\"")
        for byte in detail.utf8 where byte == ASCII.space || ASCII.isVisible(byte) {
            if byte == ASCII.quote || byte == ASCII.backslash { value.append(ASCII.backslash) }
            value.append(byte)
        }
        value.append(ASCII.quote)
    }
}

extension Array<UInt8> {
    /// Appends the name of a parameter and its integer, of at most 15 digits (RFC 9651 §3.3.1).
    fileprivate mutating func append(_ parameter: String, _ number: Int) {
        append(text: parameter)
        if number < 0 { append(UInt8(ascii: "-")) }
        append(decimal: Swift.min(Int(clamping: number.magnitude), 999_999_999_999_999))
    }
}

/// How a cache took part in an answer.
public enum CacheResult: String, CaseIterable, Sendable {
    /// The document was fresh.
    case hit
    /// The document was stale, and served while it was refreshed.
    case refreshing
    /// The document was stale, and served because the upstream failed.
    case stale
    /// The upstream was asked.
    case miss
    /// The upstream was asked by another request at the same time.
    case collapsed

    /// The number of the case, from 0: a look-up in a dictionary would hash.
    public var index: Int {
        switch self {
        case .hit: 0
        case .refreshing: 1
        case .stale: 2
        case .miss: 3
        case .collapsed: 4
        }
    }
}
