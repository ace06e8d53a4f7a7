public import API
import JSONText
public import Records

/// The answer of a tweet upstream, in the contract's form.
package enum TweetAnswer: Sendable {
    case tweet(Tweet)
    case timeline([Tweet], nextMaxId: String?)
    case search(SearchAnswer)
    case user(User)
    case users([User])

    /// The tweets of the answer, without the quoted and retweeted ones in them.
    var tweets: [Tweet] {
        switch self {
        case .tweet(let tweet): [tweet]
        case .timeline(let tweets, _): tweets
        case .search(let answer): answer.statuses
        case .user, .users: []
        }
    }

    /// The `maxId` that requests the next page.
    var nextMaxId: String? {
        switch self {
        case .timeline(_, let next): next
        case .search(let answer): answer.metadata.nextMaxId
        case .tweet, .user, .users: nil
        }
    }

    /// Whether the answer is of the kind that `query` requests.
    func matches(_ query: TweetQuery) -> Bool {
        switch (self, query) {
        case (.tweet, .tweet), (.timeline, .timeline), (.search, .search): true
        default: false
        }
    }

    /// Keeps at most `count` tweets of a list, and sets where its next page starts.
    ///
    /// The start is `next` of the last kept id if tweets were removed, otherwise that of the upstream's `page`, if any.
    mutating func limit(to count: Int?, page: NextPage?, next: (String) -> String?) {
        func limited(_ tweets: [Tweet], _ nextMaxId: String?) -> ([Tweet], String?) {
            guard let count, count < tweets.count else { return (tweets, page.map(\.maxId) ?? nextMaxId) }
            let kept = Array(tweets.prefix(count))
            return (kept, kept.last.flatMap { next($0.content.id) })
        }
        switch self {
        case .timeline(let tweets, let nextMaxId):
            let (kept, keptMaxId) = limited(tweets, nextMaxId)
            self = .timeline(kept, nextMaxId: keptMaxId)
        case .search(var answer):
            (answer.statuses, answer.metadata.nextMaxId) = limited(answer.statuses, answer.metadata.nextMaxId)
            self = .search(answer)
        case .tweet, .user, .users: return
        }
    }

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

/// The answer to a search.
public struct SearchAnswer: Record {
    /// The fields; see ``schema``.
    public var statuses: [Tweet] = [], metadata = SearchMetadata()

    /// An empty answer.
    public init() {}

    init(_ statuses: [Tweet], of query: TweetQuery?, nextMaxId: String?) {
        self.statuses = statuses
        if case .search(let text, let count, _) = query { (metadata.query, metadata.count) = (text, count) }
        metadata.nextMaxId = nextMaxId
    }

    /// The fields in the order in which they are written.
    public static let schema = Schema<SearchAnswer> {
        Field(\.statuses, .defaulted, .dropInvalid, .note("The tweets found, in the upstream's order."))
        Field(\.metadata, .defaulted, .note("Information about the search."))
    }
}

/// Information about a search.
public struct SearchMetadata: Record {
    /// The fields; see ``schema``.
    public var query: String?, count: Int?, nextMaxId: String?, next: String?

    /// Metadata without content.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<SearchMetadata> {
        Field(\.query, .note("The text that was searched for."))
        Field(\.count, .note("The number of tweets requested; without one, what the upstream reports."))
        Field(\.nextMaxId, .note("The value of maxId that requests the next page; absent on the last page."))
        Field(\.next, .note("The upstream's token for the next page, if it is not an id."))
    }
}

/// A tweet or a list of tweets as an upstream gave it, repaired, and not yet in the form that a client wants.
public struct TweetDocument: Sendable {
    let answer: TweetAnswer
    /// What was repaired.
    public let drift: DriftReport
    /// The bytes of the upstream's text.
    let size: Int

    /// Returns the document in the form that `shaping` describes, which depends on nothing else.
    public func shaped(_ shaping: TweetShaping = TweetShaping()) -> ShapedDocument {
        let body = JSONWriter.bytes(expecting: size) { answer.write(to: &$0, style: shaping.style) }
        return ShapedDocument(body: body, drift: drift, nextMaxId: answer.nextMaxId)
    }
}
