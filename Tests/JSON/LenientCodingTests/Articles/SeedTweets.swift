import Foundation

/// The models of "4 ways to improve how you decode JSON": tweets with the keys of the document, and with Swift's.
enum SeedTweets {
    static let document = #"""
        {"created_at":"Mon Mar 28 14:39:13 +0000 2016","id":714461850188926976,
         "full_text":"\u201cA tweet\u201d with <b>marks<\/b> &amp; a quote https:\/\/t.co\/a1","display_text_range":[0,36],
         "entities":{"hashtags":[{"text":"swift","indices":[3,9]}],"symbols":[],"user_mentions":[],
          "urls":[{"url":"https:\/\/t.co\/a1","expanded_url":"https:\/\/example.org\/a?b=1&c=2","display_url":"example.org\/a",
           "indices":[40,56]}]},
         "source":"<a href=\"http:\/\/twitter.com\" rel=\"nofollow\">Twitter Web Client<\/a>",
         "in_reply_to_status_id":714460000000000000,"in_reply_to_user_id":783214,"in_reply_to_screen_name":"twitter",
         "user":{"id":12345678,"name":"Ada","screen_name":"ada","profile_background_color":"C0DEED",
          "profile_link_color":"0084B4","profile_text_color":"333333","verified":false},
         "quoted_status":{"created_at":"Sun Mar 27 23:59:59 +0000 2016","id":714400000000000001,"full_text":"Quoted \ud83d\ude00",
          "display_text_range":[0,8],"entities":{"hashtags":[],"symbols":[],"user_mentions":[],"urls":[]},
          "user":{"id":87654321,"name":"Grace","screen_name":"grace","profile_background_color":"000000",
           "profile_link_color":"F5F8FA","profile_text_color":"FFFFFF","verified":true},
          "source":"web","extended_entities":{"hashtags":[],"symbols":[],"user_mentions":[],"urls":[]},
          "is_quote_status":false,"retweet_count":3,"favorite_count":14,"favorited":false,"retweeted":false,
          "possibly_sensitive":false,"possibly_sensitive_appealable":false,"lang":"en"},
         "is_quote_status":true,"retweet_count":0,"favorite_count":2,"favorited":true,"retweeted":false,
         "possibly_sensitive":false,"possibly_sensitive_appealable":false,"lang":"en"}
        """#

    // MARK: The keys of the document

    struct SnakeTweet: Codable {
        let created_at: Date, id: Int, full_text: String, display_text_range: [Int], entities: SnakeEntities
        let source: String, in_reply_to_status_id: Int?, in_reply_to_user_id: Int?, in_reply_to_screen_name: String
        let user: SnakeUser, quoted_status: SnakeQuoted?, is_quote_status: Bool, retweet_count: Int
        let favorite_count: Int, favorited: Bool, retweeted: Bool, possibly_sensitive: Bool
        let possibly_sensitive_appealable: Bool, lang: String
    }
    struct SnakeQuoted: Codable {
        let created_at: Date, id: Int, full_text: String, display_text_range: [Int], entities: SnakeEntities
        let user: SnakeUser, source: String, extended_entities: SnakeEntities, is_quote_status: Bool
        let retweet_count: Int, favorite_count: Int, favorited: Bool, retweeted: Bool, possibly_sensitive: Bool
        let possibly_sensitive_appealable: Bool, lang: String
    }
    struct SnakeEntities: Codable { let hashtags: [Hashtag], urls: [SnakeLink] }
    struct SnakeLink: Codable { let url: URL, expanded_url: URL, display_url: String, indices: [Int] }
    struct SnakeUser: Codable {
        let id: Int, name: String, screen_name: String, profile_background_color: Color, profile_link_color: Color
        let verified: Bool
    }

    // MARK: The names of Swift

    struct Tweet: Codable {
        let createdAt: Date, id: Int, fullText: String, displayTextRange: [Int], entities: Entities, source: String
        let inReplyToStatusId: Int?, inReplyToUserId: Int?, inReplyToScreenName: String?, user: User
        let quotedStatus: QuotedTweet?, isQuoteStatus: Bool, retweetCount: Int, favoriteCount: Int, favorited: Bool
        let retweeted: Bool, possiblySensitive: Bool?, possiblySensitiveAppealable: Bool?, lang: String
    }
    struct QuotedTweet: Codable {
        let createdAt: Date, id: Int, fullText: String, displayTextRange: [Int], entities: Entities, user: User
        let source: String, extendedEntities: Entities?, isQuoteStatus: Bool, retweetCount: Int, favoriteCount: Int
        let favorited: Bool, retweeted: Bool, possiblySensitive: Bool?, possiblySensitiveAppealable: Bool?, lang: String
    }
    struct Entities: Codable { let hashtags: [Hashtag]?, urls: [Link]? }
    struct Hashtag: Codable { let text: String, indices: [Int] }
    struct Link: Codable { let url: URL, expandedUrl: URL, displayUrl: String, indices: [Int] }
    struct User: Codable {
        let id: Int, name: String, screenName: String, profileBackgroundColor: Color, profileLinkColor: Color
        let verified: Bool
    }

    /// A colour that is decoded from six hexadecimal digits and encoded as them.
    struct Color: Codable {
        let red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat

        init(from decoder: any Decoder) throws {
            let digits = try decoder.singleValueContainer().decode(String.self)
            var number: UInt64 = 0
            Scanner(string: digits).scanHexInt64(&number)
            red = CGFloat((number & 0xFF0000) >> 16) / 255
            green = CGFloat((number & 0xFF00) >> 8) / 255
            blue = CGFloat(number & 0xFF) / 255
            alpha = 1
        }

        func encode(to encoder: any Encoder) throws {
            let parts = [red, green, blue].map { String(format: "%02lX", lroundf(Float($0 * 255))) }
            var container = encoder.singleValueContainer()
            try container.encode(parts.joined())
        }
    }
}
