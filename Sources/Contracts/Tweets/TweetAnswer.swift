import JSONText
import LenientCoding

/// What an upstream of tweets answers, as clients get it.
enum TweetAnswer: Sendable {
    case tweet(Tweet)
    case timeline([Tweet], nextMaxId: String?)
    case search(SearchAnswer)
    case user(User)
    case users([User])

    /// Every tweet in the answer.
    var tweets: [Tweet] {
        switch self {
        case .tweet(let tweet): [tweet]
        case .timeline(let tweets, _): tweets
        case .search(let answer): answer.statuses
        case .user, .users: []
        }
    }

    /// The `maxId` that asks for those after these.
    var nextMaxId: String? {
        switch self {
        case .timeline(_, let next): next
        case .search(let answer): answer.metadata.nextMaxId
        case .tweet, .user, .users: nil
        }
    }

    /// Writes the answer.
    func write(to writer: inout JSONWriter, style: WritingStyle) {
        switch self {
        case .tweet(let tweet): tweet.write(to: &writer, style: style)
        case .timeline(let tweets, _): tweets.write(to: &writer, style: style)
        case .search(let answer): answer.write(to: &writer, style: style)
        case .user(let user): user.write(to: &writer, style: style)
        case .users(let users): users.write(to: &writer, style: style)
        }
    }
}
