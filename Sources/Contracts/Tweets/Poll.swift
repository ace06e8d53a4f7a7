public import LenientCoding

/// A poll that is attached to a tweet.
public struct Poll: Record {
    /// The options in their order.
    public var options: [PollOption]?
    /// When the poll closes.
    public var endTime: UnixSeconds?
    /// How long the poll is open, in minutes.
    public var durationMinutes: Int?

    /// A poll without options.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Poll> {
        Field(\.options, .dropInvalid)
        Field(\.endTime)
        Field(\.durationMinutes)
    }
}

/// One option of a poll.
public struct PollOption: Record {
    /// The position in the poll, from 1.
    public var position: Int?
    /// The label.
    public var text: String?
    /// The number of votes.
    public var votes: Int?

    /// An option without a label.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<PollOption> {
        Field(\.position)
        Field(\.text)
        Field(\.votes)
    }
}
