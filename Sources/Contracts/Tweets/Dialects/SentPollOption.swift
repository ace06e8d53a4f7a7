import LenientCoding

/// What a poll lets one choose, as Twitter sends it: v2 says `label` for the text, v1.1 at times `count` for the votes.
struct SentPollOption: Record {
    var position: Int?, text: String?, votes: Int?

    static let schema = Schema<SentPollOption> {
        Field("position", \.position)
        Field("text", \.text, .or("label"))
        Field("votes", \.votes, .or("count"))
    }

    /// The contract's answer.
    var option: PollOption {
        var option = PollOption()
        option.position = position
        option.text = text
        option.votes = votes
        return option
    }
}
