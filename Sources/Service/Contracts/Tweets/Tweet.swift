import CivilDates
public import Records

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
}

extension AnyTweet {
    /// Nil, unless tweets of the level can quote.
    public var quoted: QuotedTweet? { nil }
    /// Nil, unless tweets of the level can retweet.
    public var retweeted: RetweetedTweet? { nil }
}

/// Rendering of tweets as plain text.
extension AnyTweet {
    /// Renders the tweet as lines for a terminal; each level of quoted and retweeted tweets is indented by `> `.
    ///
    /// Control characters are replaced, so that a tweet can neither move the cursor nor leave its indentation.
    public func rendered(level: Int = 0) -> String {
        let indentation = String(repeating: "> ", count: level)
        return lines.map { indentation + $0 }.joined(separator: "\n")
    }

    private var lines: [String] {
        if let retweeted { return ["\(author) retweeted:"] + retweeted.lines.map { "> " + $0 } }
        let date = ISO8601Timestamp.format(secondsSinceEpoch: content.createdAt.seconds)
        var lines = [[author, date].compactMap(\.self).joined(separator: "  ")]
        if let warning = content.spoilerText, !warning.isEmpty { lines.append("[\(warning.onOneLine)]") }
        lines += content.fullText.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            String($0).onOneLine
        }
        lines += (content.poll?.options ?? []).map { option in
            "( ) \(option.text?.onOneLine ?? "")" + (option.votes.map { "  \($0)" } ?? "")
        }
        lines += (content.media ?? []).map { media in
            "[\(media.type?.rawValue.onOneLine ?? "media")] \((media.altText ?? media.url ?? media.id).onOneLine)"
        }
        return lines + (quoted?.lines.map { "> " + $0 } ?? [])
    }

    private var author: String {
        let name = content.user?.name?.onOneLine, screenName = content.user?.screenName.map { "@" + $0.onOneLine }
        let names = [name, screenName].compactMap(\.self).filter { !$0.isEmpty }
        return names.isEmpty ? "somebody" : names.joined(separator: " ")
    }
}

extension String {
    /// The text with line breaks and other control characters replaced.
    fileprivate var onOneLine: String {
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control: "\u{FFFD}"
            case .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(scalars))
    }
}

/// The fields that tweets of every level share.
public struct TweetContent: Record {
    /// The text and what describes it; see ``schema`` for each field.
    public var id = "", createdAt = UnixSeconds(0), fullText = "", displayTextRange: CodePointRange?, lang: String?,
        source: TweetSource?
    /// The author, the place and the tweets to which this one refers.
    public var user: User?, coordinates: Coordinates?, place: Place?
    public var inReplyToStatusId: String?, inReplyToUserId: String?, inReplyToScreenName: String?
    public var isQuoteStatus: Bool?, quotedStatusId: String?
    /// The reactions.
    public var retweetCount: Int?, favoriteCount: Int?, replyCount: Int?, quoteCount: Int?, bookmarkCount: Int?,
        impressionCount: Int?
    public var favorited: Bool?, retweeted: Bool?
    /// What the text contains, and what is attached to it.
    public var entities: Entities?, media: [Media]?, poll: Poll?
    /// Who can see the tweet, and the warnings about it.
    public var possiblySensitive: Bool?, filterLevel: String?, withheldInCountries: [String]?, withheldScope: String?,
        visibility: String?, spoilerText: String?
    /// The tweet's page.
    public var url: String?

    /// An empty tweet.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<TweetContent> {
        Field(\.id, .note("The id, digit for digit; a string, because JavaScript rounds integers above 2^53."))
        Field(\.createdAt, .note("The time of publication."))
        Field(\.fullText, .note("The complete text, without HTML tags and character references."))
        Field(\.displayTextRange, .note("The part of fullText to show, without leading mentions and trailing links."))
        Field(\.lang, .note("The language as a BCP 47 tag."))
        Field(\.source, .note("The application that published the tweet."))
        Field(\.inReplyToStatusId, .note("The id of the tweet that this one answers."))
        Field(\.inReplyToUserId, .note("The id of that tweet's author."))
        Field(\.inReplyToScreenName, .note("The screen name of that tweet's author."))
        Field(\.user, .note("The author; absent in some streams."))
        Field(\.coordinates, .note("The position from which the tweet was posted."))
        Field(\.place, .note("The place with which the tweet is tagged."))
        Field(\.isQuoteStatus, .note("Whether the tweet quotes another one."))
        Field(\.quotedStatusId, .note("The id of the quoted tweet."))
        Field(\.retweetCount, .note("The number of retweets."))
        Field(\.favoriteCount, .note("The number of likes."))
        Field(\.replyCount, .note("The number of replies."))
        Field(\.quoteCount, .note("The number of quotes."))
        Field(\.bookmarkCount, .note("The number of bookmarks (Twitter v2)."))
        Field(\.impressionCount, .note("The number of times that the tweet was shown (Twitter v2)."))
        Field(\.favorited, .note("Whether the authenticated user likes the tweet."))
        Field(\.retweeted, .note("Whether the authenticated user has retweeted the tweet."))
        Field(\.possiblySensitive, .note("Whether the tweet may contain or link to sensitive content."))
        Field(
            \.filterLevel, .note("The highest filter level of a stream that includes the tweet: none, low or medium."))
        Field(\.entities, .note("The hashtags, symbols, links and mentions in fullText."))
        Field(\.media, .dropInvalid, .note("The attached pictures and videos."))
        Field(\.poll, .note("The attached poll."))
        Field(
            \.withheldInCountries, .dropInvalid, .note("The ISO 3166 codes of the countries that withhold the tweet."))
        Field(\.withheldScope, .note("What is withheld: user, or status (with Twitter v2, tweet)."))
        Field(\.visibility, .note("The audience in Mastodon's words: public, unlisted, private or direct."))
        Field(\.spoilerText, .note("The content warning (Mastodon)."))
        Field(\.url, .note("The address of the tweet's page (Mastodon)."))
    }

    /// Takes the text, entities, media and poll of the retweeted tweet; upstreams truncate the text of a retweet.
    mutating func takeText(of retweeted: Indirect<RetweetedTweet>) {
        fullText = retweeted.value.content.fullText
        displayTextRange = retweeted.value.content.displayTextRange
        entities = retweeted.value.content.entities
        media = retweeted.value.content.media
        poll = retweeted.value.content.poll
    }
}

/// The author of a tweet.
public struct User: Record {
    /// The account; see ``schema`` for each field.
    public var id = "", name: String?, screenName: String?, description: String?, location: String?, url: String?,
        protected: Bool?, verified: Bool?, bot: Bool?, createdAt: UnixSeconds?
    /// The counts.
    public var followersCount: Int?, friendsCount: Int?, listedCount: Int?, favouritesCount: Int?, statusesCount: Int?
    /// The appearance of the profile page.
    public var profileImageUrl: String?, profileBannerUrl: String?
    public var profileBackgroundColor: HexColor?, profileLinkColor: HexColor?, profileSidebarBorderColor: HexColor?,
        profileSidebarFillColor: HexColor?, profileTextColor: HexColor?
    public var defaultProfile: Bool?, defaultProfileImage: Bool?
    /// The countries that withhold the user.
    public var withheldInCountries: [String]?

    /// An unknown user.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<User> {
        Field(\.id, .note("The id, digit for digit; a string, because JavaScript rounds integers above 2^53."))
        Field(\.name, .note("The display name."))
        Field(\.screenName, .note("The name after the @ sign; Mastodon adds the domain of accounts on other servers."))
        Field(\.description, .note("The user's own description."))
        Field(\.location, .note("The user's location, as free text."))
        Field(\.url, .note("The user's website; with Mastodon, the address of the profile page."))
        Field(\.protected, .note("Whether the user approves followers; at Twitter only these can read the tweets."))
        Field(\.verified, .note("Whether the upstream has verified the account."))
        Field(\.bot, .note("Whether a program runs the account (Mastodon)."))
        Field(\.followersCount, .note("The number of followers."))
        Field(\.friendsCount, .note("The number of users that this user follows."))
        Field(\.listedCount, .note("The number of lists that contain the user."))
        Field(\.favouritesCount, .note("The number of tweets that the user likes."))
        Field(\.statusesCount, .note("The number of the user's tweets."))
        Field(\.createdAt, .note("The time when the account was created."))
        Field(\.profileImageUrl, .note("The https address of the profile picture."))
        Field(\.profileBannerUrl, .note("The https address of the banner."))
        Field(\.profileBackgroundColor, .note("The background colour of the profile page, as #RRGGBB."))
        Field(\.profileLinkColor, .note("The colour of links, as #RRGGBB."))
        Field(\.profileSidebarBorderColor, .note("The colour of the sidebar's border, as #RRGGBB."))
        Field(\.profileSidebarFillColor, .note("The colour of the sidebar, as #RRGGBB."))
        Field(\.profileTextColor, .note("The colour of text, as #RRGGBB."))
        Field(\.defaultProfile, .note("Whether the profile page has the default appearance."))
        Field(\.defaultProfileImage, .note("Whether the profile picture is the default one."))
        Field(\.withheldInCountries, .dropInvalid, .note("The ISO 3166 codes of the countries that withhold the user."))
    }
}

/// The application that published a tweet.
public struct TweetSource: Record {
    /// The fields; see ``schema``.
    public var name: String?, url: String?

    /// An unknown application.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<TweetSource> {
        Field(\.name, .note("The name of the application."))
        Field(\.url, .note("The address of the application's page."))
    }
}

/// A named place.
public struct Place: Record {
    /// The fields; see ``schema``.
    public var id: String?, name: String?, fullName: String?, placeType: String?, country: String?,
        countryCode: String?, boundingBox: JSONValue?

    /// An unknown place.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Place> {
        Field(\.id, .note("The upstream's id of the place."))
        Field(\.name, .note("The name."))
        Field(\.fullName, .note("The name with the region that contains the place."))
        Field(\.placeType, .note("The kind of place, such as country, admin, city, neighborhood or poi."))
        Field(\.country, .note("The name of the country."))
        Field(\.countryCode, .note("The ISO 3166 code of the country."))
        Field(\.boundingBox, .note("The area as GeoJSON: a polygon or, with Twitter v2, a feature."))
    }
}

/// A point on the Earth, in degrees.
public struct Coordinates: Record {
    /// The degrees to the north and to the east.
    public var latitude = 0.0, longitude = 0.0

    /// The point at 0° N, 0° E.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Coordinates> {
        Field(\.latitude, .plausible(-90...90), .note("The latitude in degrees, positive to the north."))
        Field(\.longitude, .plausible(-180...180), .note("The longitude in degrees, positive to the east."))
    }
}
