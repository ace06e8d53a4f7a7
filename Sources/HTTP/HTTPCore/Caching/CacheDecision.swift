import CivilDates

/// What a cache may do with a stored response (RFC 9111 §4).
public enum CacheDecision: Sendable, Equatable {
    /// Answer with it; `age` goes into Age.
    case fresh(age: Int)
    /// Answer with it, and ask the upstream for a newer one meanwhile (RFC 5861 §3).
    case staleWhileRevalidate(age: Int)
    /// Ask the upstream first, with these conditions if there are any.
    case mustValidate(Validators?)
}

extension CachedResponse {
    /// The age in seconds at a moment (§4.2.3), at most `CacheControl.longest`.
    public func age(at now: Int) -> Int {
        // A clock that went back adds nothing; one that shows an impossible moment must not overflow the sum.
        let now = min(max(responseTime, now), Self.moments.upperBound)
        return min(initialAge + now - responseTime, CacheControl.longest)
    }

    /// The seconds for which the response is still fresh; negative if it is stale.
    public func remaining(at now: Int) -> Int { lifetime - age(at: now) }

    /// What a cache may do with the response for a client that asks for it at `now`.
    public func decision(for client: ClientDirectives = .none, at now: Int) -> CacheDecision {
        let age = age(at: now)
        if requiresValidation || client.requiresValidation || !isYoungEnough(age, for: client) {
            return .mustValidate(validators)
        }
        if age < lifetime { return .fresh(age: age) }
        // What a client accepts beyond the lifetime does not go beyond what the upstream forbids (§4.2.4).
        let accepted = mayBeStale ? client.maximumStale.map { $0 + 1 } ?? 0 : 0
        guard age - lifetime < max(staleWhileRevalidate, accepted) else { return .mustValidate(validators) }
        return .staleWhileRevalidate(age: age)
    }

    /// Whether the client accepts a response of this age, stale or not: its `max-age` and `min-fresh`.
    private func isYoungEnough(_ age: Int, for client: ClientDirectives) -> Bool {
        if let greatest = client.maximumAge, age > greatest { return false }
        return client.minimumFresh.map { lifetime - age >= $0 } ?? true
    }

    /// Whether the response may be used after the upstream failed at `now` (RFC 5861 §4).
    ///
    /// What the client asks for does not matter: its directives are preferences (RFC 9111 §5.2.1).
    public func mayServe(afterErrorAt now: Int) -> Bool {
        !requiresValidation && age(at: now) - lifetime < staleIfError
    }

    /// Cache-Control and Last-Modified of Weir's own answers from this document; Age says how old it is.
    public var answerFields: [(name: String, value: String)] {
        var control = requiresValidation ? "no-cache" : "max-age=\(lifetime)"
        if staleWhileRevalidate > 0 { control += ", stale-while-revalidate=\(staleWhileRevalidate)" }
        if staleIfError > 0 { control += ", stale-if-error=\(staleIfError)" }
        if !mayBeStale, !requiresValidation { control += ", must-revalidate" }
        let changed = fields.lastModified(relativeTo: responseTime)
        let date = changed.map { String(decoding: HTTPDate.format(secondsSinceEpoch: $0), as: UTF8.self) }
        return [("Cache-Control", control)] + (date.map { [("Last-Modified", $0)] } ?? [])
    }
}
