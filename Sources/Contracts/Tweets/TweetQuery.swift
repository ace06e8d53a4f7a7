/// What an upstream of tweets is asked for.
public enum TweetQuery: Sendable, Equatable {
    /// One tweet by its id.
    case tweet(id: String)
    /// The tweets of a user, from `maxId` on backwards.
    case timeline(screenName: String, count: Int?, maxId: String?)
    /// The tweets that a search finds.
    case search(text: String, count: Int?, maxId: String?)

    /// How many tweets are asked for at most.
    var count: Int? {
        switch self {
        case .tweet: nil
        case .timeline(_, let count, _), .search(_, let count, _): count
        }
    }
}
