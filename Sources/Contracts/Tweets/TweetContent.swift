public import LenientCoding

/// The fields that tweets of every level share.
public struct TweetContent: Record {
    /// The id, as a string because JavaScript rounds numbers past 2^53.
    public var id = ""
    /// When the tweet was created.
    public var createdAt = UnixSeconds(0)
    /// The whole text, character references resolved.
    public var fullText = ""
    /// The part of the text to display, without leading mentions and trailing links.
    public var displayTextRange: CodePointRange?
    /// The language, as a BCP 47 tag.
    public var lang: String?
    /// The application that the tweet was sent with.
    public var source: TweetSource?
    /// The tweet that this one replies to, and its author.
    public var inReplyToStatusId: String?, inReplyToUserId: String?, inReplyToScreenName: String?
    /// The author; streams leave it out.
    public var user: User?
    /// Where the tweet was sent from.
    public var coordinates: Coordinates?
    /// The place that the tweet is tagged with.
    public var place: Place?
    /// Whether the tweet quotes another one, and the id of that one.
    public var isQuoteStatus: Bool?, quotedStatusId: String?
    /// The numbers of retweets, likes, replies and quotes.
    public var retweetCount: Int?, favoriteCount: Int?, replyCount: Int?, quoteCount: Int?
    /// Whether the authenticated user likes or has retweeted the tweet.
    public var favorited: Bool?, retweeted: Bool?
    /// Whether a link or the media may be sensitive.
    public var possiblySensitive: Bool?
    /// The highest `filter_level` of a stream that still includes the tweet.
    public var filterLevel: String?
    /// The hashtags, symbols, links and mentions in the text.
    public var entities: Entities?
    /// The attached photos and videos.
    public var media: [Media]?
    /// The attached poll.
    public var poll: Poll?
    /// The countries that the tweet is withheld in, and whether the tweet or its author is withheld.
    public var withheldInCountries: [String]?, withheldScope: String?
    /// Mastodon's visibility and content warning.
    public var visibility: String?, spoilerText: String?
    /// The address of the tweet's web page.
    public var url: String?

    /// An empty tweet.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<TweetContent> {
        Field(\.id)
        Field(\.createdAt)
        Field(\.fullText)
        Field(\.displayTextRange)
        Field(\.lang)
        Field(\.source)
        Field(\.inReplyToStatusId)
        Field(\.inReplyToUserId)
        Field(\.inReplyToScreenName)
        Field(\.user)
        Field(\.coordinates)
        Field(\.place)
        Field(\.isQuoteStatus)
        Field(\.quotedStatusId)
        Field(\.retweetCount)
        Field(\.favoriteCount)
        Field(\.replyCount)
        Field(\.quoteCount)
        Field(\.favorited)
        Field(\.retweeted)
        Field(\.possiblySensitive)
        Field(\.filterLevel)
        Field(\.entities)
        Field(\.media, .dropInvalid)
        Field(\.poll)
        Field(\.withheldInCountries, .dropInvalid)
        Field(\.withheldScope)
        Field(\.visibility)
        Field(\.spoilerText)
        Field(\.url)
    }

    /// Takes the text of the retweeted tweet, and what belongs to it, since upstreams cut off the text of a retweet.
    mutating func takeText(of retweeted: Indirect<RetweetedTweet>) {
        fullText = retweeted.value.content.fullText
        displayTextRange = retweeted.value.content.displayTextRange
        entities = retweeted.value.content.entities
        media = retweeted.value.content.media
        poll = retweeted.value.content.poll
    }
}

/// The application that a tweet was sent with.
public struct TweetSource: Record {
    /// The name, and the address of its web page.
    public var name: String?, url: String?

    /// An unknown application.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<TweetSource> {
        Field(\.name)
        Field(\.url)
    }
}
