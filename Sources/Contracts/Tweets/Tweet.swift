public import LenientCoding

/// A tweet, whoever sent it to us: a tweet of its own, one that is quoted, or one that is retweeted.
public protocol AnyTweet: Record {
    /// What every tweet has.
    var content: TweetContent { get }
    /// The tweet that this one quotes.
    var quoted: QuotedTweet? { get }
    /// The tweet that this one passes on.
    var retweeted: RetweetedTweet? { get }
}

/// A tweet as clients get it: Twitter v1.1's names in camelCase, cleaned.
public struct Tweet: AnyTweet {
    /// What every tweet has.
    public var content = TweetContent()
    /// The tweet that is quoted.
    public var quotedStatus: Indirect<QuotedTweet>?
    /// The tweet that is passed on; the text, entities and media of this one are then its.
    public var retweetedStatus: Indirect<RetweetedTweet>?

    /// A tweet of nobody that says nothing.
    public init() {}

    /// One line a field, the tweets in it among the fields that every tweet has.
    public static let schema = Schema<Tweet> {
        Included(\.content, through: "quotedStatusId")
        Field(\.quotedStatus)
        Field(\.retweetedStatus)
        Included(\.content, after: "quotedStatusId")
    }

    /// The tweet that this one quotes.
    public var quoted: QuotedTweet? { quotedStatus?.value }
    /// The tweet that this one passes on.
    public var retweeted: RetweetedTweet? { retweetedStatus?.value }
}

/// A tweet that another one passes on.
public struct RetweetedTweet: AnyTweet {
    /// What every tweet has.
    public var content = TweetContent()
    /// The tweet that is quoted.
    public var quotedStatus: Indirect<QuotedTweet>?

    /// A tweet of nobody that says nothing.
    public init() {}

    /// One line a field.
    public static let schema = Schema<RetweetedTweet> {
        Included(\.content, through: "quotedStatusId")
        Field(\.quotedStatus)
        Included(\.content, after: "quotedStatusId")
    }

    /// The tweet that this one quotes.
    public var quoted: QuotedTweet? { quotedStatus?.value }
    /// The tweet that this one passes on.
    public var retweeted: RetweetedTweet? { nil }
}

/// A tweet that another one quotes; what it quotes in its turn is only named, by `quotedStatusId`.
public struct QuotedTweet: AnyTweet {
    /// What every tweet has.
    public var content = TweetContent()

    /// A tweet of nobody that says nothing.
    public init() {}

    /// One line a field.
    public static let schema = Schema<QuotedTweet> { Included(\.content) }

    /// The tweet that this one quotes.
    public var quoted: QuotedTweet? { nil }
    /// The tweet that this one passes on.
    public var retweeted: RetweetedTweet? { nil }
}
