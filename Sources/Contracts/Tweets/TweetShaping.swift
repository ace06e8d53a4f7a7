public import LenientCoding

/// What a client wants of tweets, and in which form.
public struct TweetShaping: Sendable {
    /// How dates are written.
    public var dates = DateForm.iso8601
    /// The fields that are kept, of a tweet or of a search's answer; nil for all.
    public var fields: FieldSelection?

    /// Everything, with dates as people write them.
    public init() {}
}
