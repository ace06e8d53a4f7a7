public import LenientCoding

/// A question with its answers.
public struct Poll: Record {
    /// The answers in their order.
    public var options: [PollOption]?
    /// Until when one may vote.
    public var endTime: UnixSeconds?
    /// For how long one may vote, in minutes.
    public var durationMinutes: Int?

    /// No question.
    public init() {}

    /// One line a field.
    public static let schema = Schema<Poll> {
        Field(\.options, .dropInvalid)
        Field(\.endTime)
        Field(\.durationMinutes)
    }
}

/// An answer to choose.
public struct PollOption: Record {
    /// Its place, from 1.
    public var position: Int?
    /// The answer.
    public var text: String?
    /// How many chose it.
    public var votes: Int?

    /// No answer.
    public init() {}

    /// One line a field.
    public static let schema = Schema<PollOption> {
        Field(\.position)
        Field(\.text)
        Field(\.votes)
    }
}
