/// What an answer says of its sender's rate limit, each field as it was sent.
public struct RateLimitFields: Sendable, Equatable {
    /// How many requests are let through between two resets.
    public var limit: String?
    /// How many of them are left.
    public var remaining: String?
    /// When the count begins anew: a moment, or how long it is until then.
    public var reset: String?

    /// An answer that says nothing.
    public init() {}
}
