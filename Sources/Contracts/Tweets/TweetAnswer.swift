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

    /// Whether it is of the kind that `query` asks for.
    func answers(_ query: TweetQuery) -> Bool {
        switch (self, query) {
        case (.tweet, .tweet), (.timeline, .timeline), (.search, .search): true
        default: false
        }
    }

    /// Keeps no more tweets than were asked for, and says where the list goes on: behind the last of them where some are
    /// left out, or else as the upstream's link says where it sent one.
    mutating func bound(to count: Int?, _ page: NextPage?, next: (String) -> String?) {
        func bounded(_ tweets: [Tweet], _ nextMaxId: String?) -> ([Tweet], String?) {
            if let count, count < tweets.count {
                let kept = Array(tweets.prefix(count))
                return (kept, kept.last.flatMap { next($0.content.id) })
            }
            return (tweets, page.map(\.maxId) ?? nextMaxId)
        }
        switch self {
        case .timeline(let tweets, let sent):
            let (kept, nextMaxId) = bounded(tweets, sent)
            self = .timeline(kept, nextMaxId: nextMaxId)
        case .search(var answer):
            (answer.statuses, answer.metadata.nextMaxId) = bounded(answer.statuses, answer.metadata.nextMaxId)
            self = .search(answer)
        case .tweet, .user, .users: return
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
