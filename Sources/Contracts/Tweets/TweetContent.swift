public import LenientCoding

/// What every tweet has, be it sent, quoted or passed on.
public struct TweetContent: Record {
    /// The id, digit for digit: no number, since JavaScript rounds those past 2^53.
    public var id = ""
    /// When it was sent.
    public var createdAt = UnixSeconds(0)
    /// The whole text, HTML entities unescaped.
    public var fullText = ""
    /// The part of the text that is shown: without the mentions and links that stand around it.
    public var displayTextRange: CodePointRange?
    /// The language by its BCP 47 tag.
    public var lang: String?
    /// The program that sent it.
    public var source: TweetSource?
    /// What it answers: the tweet and its author.
    public var inReplyToStatusId: String?, inReplyToUserId: String?, inReplyToScreenName: String?
    /// Who sent it; streams leave it out.
    public var user: User?
    /// Where it was sent from.
    public var coordinates: Coordinates?
    /// The place that it is about.
    public var place: Place?
    /// Whether it quotes another tweet, and which.
    public var isQuoteStatus: Bool?, quotedStatusId: String?
    /// How often it was passed on, liked, answered and quoted.
    public var retweetCount: Int?, favoriteCount: Int?, replyCount: Int?, quoteCount: Int?
    /// Whether the asking user likes it and passed it on.
    public var favorited: Bool?, retweeted: Bool?
    /// Whether a link in it may be unfit for some.
    public var possiblySensitive: Bool?
    /// The level below which streams leave it out.
    public var filterLevel: String?
    /// What stands in the text.
    public var entities: Entities?
    /// Pictures and films.
    public var media: [Media]?
    /// The poll.
    public var poll: Poll?
    /// Where it may not be shown, by country, and whether all of the user's may not.
    public var withheldInCountries: [String]?, withheldScope: String?
    /// Who may see it, as Mastodon says it, and the warning in front of it.
    public var visibility: String?, spoilerText: String?
    /// Where it can be read.
    public var url: String?

    /// A tweet of nobody that says nothing.
    public init() {}

    /// One line a field.
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
}

/// The program that a tweet was sent with.
public struct TweetSource: Record {
    /// Its name, and where it can be had.
    public var name: String?, url: String?

    /// No program.
    public init() {}

    /// One line a field.
    public static let schema = Schema<TweetSource> {
        Field(\.name)
        Field(\.url)
    }
}

/// A point on the Earth, in degrees.
public struct Coordinates: Record {
    /// -90…90 and -180…180.
    public var latitude = 0.0, longitude = 0.0

    /// Off the coast of Ghana.
    public init() {}

    /// One line a field.
    public static let schema = Schema<Coordinates> {
        Field(\.latitude, .plausible(-90...90))
        Field(\.longitude, .plausible(-180...180))
    }
}
