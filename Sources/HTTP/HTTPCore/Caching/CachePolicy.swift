/// A route's settings for its cache; times are in seconds.
///
/// They fill in what an upstream does not say, and limit what it says. As long as the upstream is obeyed, none lets a cache
/// store what `no-store`, `private` or `Vary: *` forbids, use without validation what needs it, or use stale what
/// `must-revalidate` forbids.
public struct CachePolicy: Sendable, Equatable {
    /// A stored response of success is fresh for at least this time after it arrived.
    public let floor: Int
    /// No lifetime is longer, unless the floor demands it.
    public let ceiling: Int
    /// The lifetime of a response that does not say one.
    public let defaultLifetime: Int
    /// Whether a tenth of the time since Last-Modified is the lifetime of a response that does not say one (RFC 9111 §4.2.2).
    public let usesHeuristics: Bool
    /// The longest lifetime that such a guess gives.
    public let heuristicCeiling: Int
    /// The lifetime of a 404 or 410 that does not say one.
    public let negativeLifetime: Int
    /// The time beyond its lifetime in which a response may be used while it is validated, if it does not say one.
    public let staleWhileRevalidate: Int
    /// The time beyond its lifetime in which a response may be used if the upstream fails, if it does not say one.
    public let staleIfError: Int
    /// Whether the directives of clients count, such as `no-cache` and `max-age`.
    public let countsClientDirectives: Bool
    /// Whether the upstream's fields about caches count; otherwise only its validators do, and the policy decides alone.
    public let obeysUpstream: Bool

    /// A policy; numbers are limited to 0...`CacheControl.longest`, the floor to the ceiling.
    public init(
        floor: Int = 0, ceiling: Int = CacheControl.longest, defaultLifetime: Int = 0, usesHeuristics: Bool = true,
        heuristicCeiling: Int = 86_400, negativeLifetime: Int = 60, staleWhileRevalidate: Int = 0,
        staleIfError: Int = 0, countsClientDirectives: Bool = false, obeysUpstream: Bool = true
    ) {
        func limited(_ seconds: Int) -> Int { min(max(0, seconds), CacheControl.longest) }
        self.floor = min(limited(floor), limited(ceiling))
        self.ceiling = limited(ceiling)
        self.defaultLifetime = limited(defaultLifetime)
        self.usesHeuristics = usesHeuristics
        self.heuristicCeiling = limited(heuristicCeiling)
        self.negativeLifetime = limited(negativeLifetime)
        self.staleWhileRevalidate = limited(staleWhileRevalidate)
        self.staleIfError = limited(staleIfError)
        self.countsClientDirectives = countsClientDirectives
        self.obeysUpstream = obeysUpstream
    }

    /// The directives of the client, if they count on this route.
    public func directives(of request: HeaderFields) -> ClientDirectives {
        countsClientDirectives ? ClientDirectives(request) : .none
    }

    /// The fields of a response that decide about its use.
    var fieldNames: [String] {
        let validators = ["ETag", "Last-Modified"]
        return obeysUpstream ? validators + ["Age", "Cache-Control", "Date", "Expires", "Vary"] : validators
    }

    /// The seconds for which a response with this head is fresh, from its Date on.
    ///
    /// `mayGuess` tells whether the status or the upstream allows a lifetime that the response does not say.
    func lifetime(_ status: Status, _ headers: HeaderFields, _ freshness: Freshness, mayGuess: Bool, now: Int) -> Int {
        let stated = freshness.lifetime ?? (mayGuess ? guess(status, headers, now) : 0)
        let limited = min(stated, ceiling)
        guard !status.isNegative, floor > 0 else { return limited }
        return min(max(limited, floor + freshness.age), CacheControl.longest)
    }

    private func guess(_ status: Status, _ headers: HeaderFields, _ now: Int) -> Int {
        if status.isNegative { return negativeLifetime }
        guard usesHeuristics, let changed = headers.lastModified(relativeTo: now) else { return defaultLifetime }
        let age = (headers.date(relativeTo: now) ?? now) - changed
        return min(max(0, age / 10), heuristicCeiling)
    }
}

extension Status {
    /// Whether the upstream has no such document: 404 and 410.
    var isNegative: Bool { code == 404 || code == 410 }

    /// Whether a cache may guess a lifetime for a whole response with this status (RFC 9110 §15.1).
    var allowsHeuristics: Bool { [200, 203, 204, 300, 301, 308, 404, 405, 410, 414].contains(code) }

    /// Whether the rules for storing a response with this status are known, for `must-understand`.
    var isUnderstood: Bool { allowsHeuristics || [201, 202, 302, 303, 307, 400].contains(code) }

    /// Whether a response with this status may be stored at all.
    ///
    /// Parts of documents are not combined, and failures are asked again: 5xx, and 4xx that depend on credentials, on time
    /// or on the connection. RFC 6585 forbids storing 428, 429 and 431.
    var isStorable: Bool {
        200..<500 ~= code && ![206, 304, 401, 403, 407, 408, 416, 421, 425, 428, 429, 431].contains(code)
    }
}
