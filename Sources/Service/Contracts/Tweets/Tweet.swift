public import LenientCoding

/// A tweet at any level of nesting: a tweet of its own, a retweeted one or a quoted one.
///
/// The three are separate types because a value cannot contain one of its own type. Code for tweets of every level takes
/// this protocol.
public protocol AnyTweet: Record {
    /// The fields that tweets of every level share.
    var content: TweetContent { get }
    /// The tweet that this one quotes.
    var quoted: QuotedTweet? { get }
    /// The tweet that this one retweets.
    var retweeted: RetweetedTweet? { get }
}

/// A tweet of the contract, with Twitter v1.1's names in camelCase.
public struct Tweet: AnyTweet {
    /// The fields that tweets of every level share; text, entities, media and poll are those of the retweeted tweet.
    public var content = TweetContent()
    /// The tweet that this one quotes.
    public var quotedStatus: Indirect<QuotedTweet>?
    /// The tweet that this one retweets.
    public var retweetedStatus: Indirect<RetweetedTweet>?

    /// An empty tweet.
    public init() {}

    /// The fields in the order in which they are written, the inner tweets after `quotedStatusId`.
    public static let schema = Schema<Tweet> {
        Included(\.content, through: "quotedStatusId")
        Field(\.quotedStatus, .note("The quoted tweet."))
        Field(
            \.retweetedStatus,
            .note("The retweeted tweet, which also supplies the text, entities, media and poll of this one."))
        Included(\.content, after: "quotedStatusId")
    }

    /// The tweet that this one quotes.
    public var quoted: QuotedTweet? { quotedStatus?.value }
    /// The tweet that this one retweets.
    public var retweeted: RetweetedTweet? { retweetedStatus?.value }
}

/// A tweet that another one retweets.
public struct RetweetedTweet: AnyTweet {
    /// The fields that tweets of every level share.
    public var content = TweetContent()
    /// The tweet that this one quotes.
    public var quotedStatus: Indirect<QuotedTweet>?

    /// An empty tweet.
    public init() {}

    /// The fields in the order in which they are written, the quoted tweet after `quotedStatusId`.
    public static let schema = Schema<RetweetedTweet> {
        Included(\.content, through: "quotedStatusId")
        Field(\.quotedStatus, .note("The quoted tweet."))
        Included(\.content, after: "quotedStatusId")
    }

    /// The tweet that this one quotes.
    public var quoted: QuotedTweet? { quotedStatus?.value }
    /// Always nil.
    public var retweeted: RetweetedTweet? { nil }
}

/// A tweet that another one quotes; of the tweet that it quotes itself it has only the `quotedStatusId`.
public struct QuotedTweet: AnyTweet {
    /// The fields that tweets of every level share.
    public var content = TweetContent()

    /// An empty tweet.
    public init() {}

    init(_ content: TweetContent) { self.content = content }

    /// The fields in the order in which they are written.
    public static let schema = Schema<QuotedTweet> { Included(\.content) }

    /// Always nil.
    public var quoted: QuotedTweet? { nil }
    /// Always nil.
    public var retweeted: RetweetedTweet? { nil }
}
