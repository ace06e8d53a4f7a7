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
