import Foundation
import LenientCoding

/// The properties of a tweet or a quoted tweet that are printed.
protocol TweetProtocol {
    var fullText: String { get }
    var quotedTweet: (any TweetProtocol)? { get }
}

/// Returns a line for the tweet and for each tweet that it quotes, with a `>` for each level of quoting.
func lines(of tweet: any TweetProtocol, quoteLevel level: Int = 0) -> [String] {
    let line = String(repeating: ">", count: level) + (level > 0 ? " " : "") + tweet.fullText
    return [line] + (tweet.quotedTweet.map { lines(of: $0, quoteLevel: level + 1) } ?? [])
}

/// Hand-written models of a tweet, for a decoder that converts keys from snake case.
enum TwitterModels {
    static let document = """
        {"created_at":"Sat Jun 01 08:05:09 +0000 2019","id":1134737590098059264,"full_text":"Reading this again",
         "display_text_range":[0,18],"entities":{"hashtags":[{"text":"swift","indices":[3,9]},{"text":5}],"urls":[]},
         "in_reply_to_status_id":null,"in_reply_to_screen_name":null,"lang":"en","favorited":false,"retweet_count":3,
         "user":{"id":12345678901234567,"name":"Grace","screen_name":"grace","profile_background_color":"C0DEED",
          "profile_link_color":"1B95E0","created_at":"Mon Mar 28 14:39:13 +0000 2016"},
         "is_quote_status":true,
         "quoted_status":{"created_at":"Fri May 31 23:59:60 -0700 2019","id":1134600000000000001,"full_text":"Compilers are fun",
          "display_text_range":[0,17],"entities":{"hashtags":[],"urls":[{"url":"https://example.org/a?b=c"}]},"lang":"en",
          "favorited":true,"retweet_count":40,
          "user":{"id":2,"name":"Ada","screen_name":"ada","profile_background_color":"#000","profile_link_color":"FF000080",
           "created_at":"Thu Feb 29 00:00:00 +0000 2024"},
          "is_quote_status":false}}
        """

    enum CreationDate: FixedDateStrategy {
        static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy"
    }

    struct Tweet: Codable, Equatable {
        @Coded<CreationDate> var createdAt: Date
        let id: Int
        let fullText: String
        let displayTextRange: [Int]
        let entities: Entities
        let inReplyToStatusId: Int?
        let inReplyToScreenName: String?
        let user: User
        let quotedStatus: QuotedTweet?
        let isQuoteStatus: Bool
        let retweetCount: Int
        let favorited: Bool
        @DefaultFalse var possiblySensitive: Bool
        let lang: String
    }

    struct QuotedTweet: Codable, Equatable {
        @Coded<CreationDate> var createdAt: Date
        let id: Int
        let fullText: String
        let displayTextRange: [Int]
        let entities: Entities
        let user: User
        let isQuoteStatus: Bool
        let retweetCount: Int
        let favorited: Bool
        @DefaultFalse var possiblySensitive: Bool
        let lang: String
    }

    struct Entities: Codable, Equatable {
        @Lossy var hashtags: [Hashtag]
        @Lossy var urls: [Link]
    }

    struct Hashtag: Codable, Equatable {
        let text: String
        let indices: [Int]
    }

    struct Link: Codable, Equatable {
        let url: URL
    }

    struct User: Codable, Equatable {
        let id: Int
        let name: String
        let screenName: String
        let profileBackgroundColor: HexColor
        let profileLinkColor: HexColor
        @Coded<CreationDate> var createdAt: Date
    }
}

extension TwitterModels.Tweet: TweetProtocol {
    var quotedTweet: (any TweetProtocol)? { quotedStatus }
}

extension TwitterModels.QuotedTweet: TweetProtocol {
    var quotedTweet: (any TweetProtocol)? { nil }
}
