import CivilDates

/// For how long a shared cache may use a response, as its header fields say (RFC 9111 §4.2).
public struct Freshness: Sendable, Equatable {
    /// The seconds for which the response is fresh, from its Date on; nil if no field says so.
    ///
    /// The lifetime is 0 if each use must be validated, and if the field with the lifetime is malformed.
    public let lifetime: Int?
    /// The age of the response in seconds when it arrived.
    public let age: Int
    /// Whether the response may be used beyond its lifetime, without validation, as when the upstream fails.
    public let mayBeStale: Bool
    /// The seconds beyond its lifetime in which it may be used while it is validated; nil if it does not say.
    public let staleWhileRevalidate: Int?
    /// The seconds beyond its lifetime in which it may be used if the upstream fails; nil if it does not say.
    public let staleIfError: Int?

    /// Reads the header fields of a response to a request that was sent at `sent` and arrived at `now`, in unix seconds.
    public init(_ headers: HeaderFields, sent: Int? = nil, now: Int) {
        self.init(headers, CacheControl(headers), sent: sent, now: now)
    }

    init(_ headers: HeaderFields, _ control: CacheControl, sent: Int?, now: Int) {
        let date = headers.date(relativeTo: now)
        let stated =
            control.sharedMaximumAge ?? control.maximumAge
            ?? headers["Expires"].map { Self.lifetime(expires: $0, date ?? now, now) }
        lifetime = control.requiresValidation ? 0 : stated
        // s-maxage forbids it too (§5.2.2.10), except for what the upstream itself says about stale responses.
        let isLimited = control.sharedMaximumAge != nil
        let extends = control.staleWhileRevalidate != nil || control.staleIfError != nil
        mayBeStale = !control.forbidsStale && !control.requiresValidation && (!isLimited || extends)
        let unstated = mayBeStale && !isLimited ? nil : 0
        staleWhileRevalidate = mayBeStale ? control.staleWhileRevalidate ?? unstated : 0
        staleIfError = mayBeStale ? control.staleIfError ?? unstated : 0
        // §4.2.3: an upstream whose clock is ahead has no negative age.
        let delay = max(0, now - (sent ?? now))
        age = min(CacheControl.longest, max(0, date.map { now - $0 } ?? 0, headers.age + delay))
    }

    /// Returns the lifetime that Expires gives; 0 if it is in the past or malformed, as `0` is (§5.3).
    private static func lifetime(expires text: String, _ date: Int, _ now: Int) -> Int {
        guard let end = HTTPDate.parse(text, relativeTo: now) else { return 0 }
        return max(0, min(end - date, CacheControl.longest))
    }
}

extension HeaderFields {
    /// The instant in Date, in unix seconds; nil if the field is absent or malformed.
    ///
    /// A year of two digits is the one that is at most 50 years after `now`.
    public func date(relativeTo now: Int) -> Int? { self["Date"].flatMap { HTTPDate.parse($0, relativeTo: now) } }

    /// The instant in Last-Modified, in unix seconds; nil if the field is absent or malformed.
    func lastModified(relativeTo now: Int) -> Int? {
        self["Last-Modified"].flatMap { HTTPDate.parse($0, relativeTo: now) }
    }

    /// The seconds in Age, of which the first element counts; 0 if the field is absent or malformed (RFC 9111 §5.1).
    package var age: Int {
        guard let line = lines("Age").first else { return 0 }
        var first: Range<Int>?
        forEachElement(of: line.value) { first = first ?? $0 }
        return first.flatMap { bytes.span.seconds($0) } ?? 0
    }
}
