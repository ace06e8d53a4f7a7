public import LenientCoding

/// A poll that is attached to a tweet.
public struct Poll: Record {
    /// The fields; see ``schema``.
    public var options: [PollOption]?, endTime: UnixSeconds?, durationMinutes: Int?

    /// A poll without options.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Poll> {
        Field(\.options, .dropInvalid, .note("The options, in their order."))
        Field(\.endTime, .note("The time when the poll closes."))
        Field(\.durationMinutes, .note("The duration of the poll in minutes."))
    }
}

/// One option of a poll.
public struct PollOption: Record {
    /// The fields; see ``schema``.
    public var position: Int?, text: String?, votes: Int?

    /// An option without a label.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<PollOption> {
        Field(\.position, .note("The position of the option, starting at 1."))
        Field(\.text, .note("The text of the option."))
        Field(\.votes, .note("The number of votes."))
    }
}
