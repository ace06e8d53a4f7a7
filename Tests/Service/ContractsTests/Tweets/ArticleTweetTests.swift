import API
import Foundation
import JSONText
import LenientCoding
import Testing
import Contracts

/// The hand-written models of an article for a tweet and the tweet that it quotes.
private enum ArticleModels {
    struct Tweet: Decodable {
        let createdAt: Date, id: Int, fullText: String, displayTextRange: [Int], entities: TweetEntities
        let source: String, inReplyToStatusId: Int?, inReplyToUserId: Int?, inReplyToScreenName: String?
        let user: TweetUser, quotedStatus: QuotedTweet?, isQuoteStatus: Bool
        let retweetCount: Int, favoriteCount: Int, favorited: Bool, retweeted: Bool
        let possiblySensitive: Bool, possiblySensitiveAppealable: Bool, lang: String
    }

    struct QuotedTweet: Decodable {
        let createdAt: Date, id: Int, fullText: String, displayTextRange: [Int], entities: TweetEntities
        let user: TweetUser, source: String, extendedEntities: TweetEntities, isQuoteStatus: Bool
        let retweetCount: Int, favoriteCount: Int, favorited: Bool, retweeted: Bool
        let possiblySensitive: Bool, possiblySensitiveAppealable: Bool, lang: String
    }

    struct TweetEntities: Decodable {
        let urls: [TweetURL]?, userMentions: [TweetMention]?, media: [TweetMedia]?
    }

    struct TweetMedia: Decodable {
        let id: Int, mediaUrlHttps: String, indices: [Int]
    }

    struct TweetURL: Decodable {
        let url: String, expandedUrl: String, displayUrl: String, indices: [Int]
    }

    struct TweetMention: Decodable {
        let screenName: String, name: String, id: Int, indices: [Int]
    }

    struct TweetUser: Decodable {
        let id: Int, name: String, screenName: String, followersCount: Int, createdAt: Date
        let profileBackgroundColor: Color, profileLinkColor: Color, profileTextColor: Color
    }

    struct Color: Decodable {
        let red: Double, green: Double, blue: Double, alpha: Double

        init(from decoder: any Decoder) throws {
            let code = try UInt32(decoder.singleValueContainer().decode(String.self), radix: 16) ?? 0
            red = Double((code & 0xff0000) >> 16) / 255
            green = Double((code & 0xff00) >> 8) / 255
            blue = Double(code & 0xff) / 255
            alpha = 1
        }

        static func isSame(_ color: Color?, _ other: HexColor?) -> Bool {
            color?.red == other?.red && color?.green == other?.green && color?.blue == other?.blue
                && color?.alpha == other?.alpha
        }
    }
}

@Suite("An article's models of a tweet")
struct ArticleTweetTests {
    private static let written = """
        {"created_at":"Mon Mar 28 14:39:13 +0000 2016","id":714461850188926976,"id_str":"714461850188926976",
         "full_text":"@bob owls &amp; raccoons https://t.co/q","display_text_range":[5,39],
         "entities":{"hashtags":[],"symbols":[],"urls":[{"url":"https://t.co/q","expanded_url":"https://example.com/q",
           "display_url":"example.com/q","indices":[25,39]}],
          "user_mentions":[{"screen_name":"bob","name":"Bob","id":15062340,"id_str":"15062340","indices":[0,4]}]},
         "source":"<a href='http://example.com'>Web</a>","in_reply_to_status_id":714461623000000000,
         "in_reply_to_user_id":15062340,"in_reply_to_screen_name":"bob",
         "user":{"id":9,"name":"Ada","screen_name":"ada","followers_count":4,
          "created_at":"Thu Feb 29 00:00:00 +0000 2024","profile_background_color":"C0DEED",
          "profile_link_color":"0084B4","profile_text_color":"333333"},
         "is_quote_status":true,"retweet_count":3,"favorite_count":5,"favorited":false,"retweeted":false,
         "possibly_sensitive":false,"possibly_sensitive_appealable":false,"lang":"en",
         "quoted_status":{"created_at":"Sun Mar 27 14:39:13 +0000 2016","id":714461850188926000,
          "full_text":"Owls &gt; https://t.co/p","display_text_range":[0,4],"entities":{"urls":[]},"source":"<a>Web</a>",
          "is_quote_status":false,"possibly_sensitive":true,"possibly_sensitive_appealable":false,
          "extended_entities":{"media":[{"id":705,"id_str":"705","media_url_https":"https://pbs.example/705.jpg",
            "type":"photo","url":"https://t.co/p","indices":[10,24]}]},
          "retweet_count":0,"favorite_count":1,"favorited":false,"retweeted":true,"lang":"en",
          "user":{"id":15062340,"name":"Bob","screen_name":"bob","followers_count":0,
           "created_at":"Fri Mar 28 14:39:13 +0000 2014","profile_background_color":"000000",
           "profile_link_color":"FFFFFF","profile_text_color":"102030"}}}
        """

    /// A document of this file and, with the corpus, the article's own document.
    private static var documents: [[UInt8]] {
        let recorded = RecordedTweets.all.first { $0.name.contains("advanced-swift-codable") }
        return [Array(written.utf8)] + (recorded.map { [$0.bytes] } ?? [])
    }

    @Test("The models have the values that clients get, with Foundation's decoder and with LenientDecoder")
    func sameValues() throws {
        for document in Self.documents {
            let tweet = try Self.normalized(document)
            for model in try [Self.foundation(document), Self.lenient(document)] {
                Self.expect(tweet, model)
            }
        }
    }

    private static func normalized(_ document: [UInt8]) throws -> Tweet {
        var parser = JSONParser()
        return try parser.withDocument(TweetDialect.twitter.normalize(document).shaped().body) {
            try Tweet.read($0).record
        }
    }

    private static func foundation(_ document: [UInt8]) throws -> ArticleModels.Tweet {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "eee MMM dd HH:mm:ss ZZZZ yyyy"
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .formatted(formatter)
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(ArticleModels.Tweet.self, from: Data(document))
    }

    private static func lenient(_ document: [UInt8]) throws -> ArticleModels.Tweet {
        var decoder = LenientDecoder()
        decoder.dateDecodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(ArticleModels.Tweet.self, from: document)
    }

    private static func expect(_ tweet: Tweet, _ model: ArticleModels.Tweet) {
        let content = tweet.content
        #expect(content.createdAt.date == model.createdAt)
        #expect(content.id == String(model.id))
        #expect(content.fullText == ReferenceText.unescape(model.fullText))
        #expect(content.inReplyToStatusId == model.inReplyToStatusId.map { String($0) })
        #expect(content.inReplyToUserId == model.inReplyToUserId.map { String($0) })
        #expect(content.inReplyToScreenName == model.inReplyToScreenName)
        #expect(content.isQuoteStatus == model.isQuoteStatus)
        #expect(content.retweetCount == model.retweetCount)
        #expect(content.favoriteCount == model.favoriteCount)
        #expect(content.favorited == model.favorited && content.retweeted == model.retweeted)
        #expect(content.possiblySensitive == model.possiblySensitive)
        #expect(content.lang == model.lang)
        #expect(model.source.contains(">\(content.source?.name ?? "-")</a>"))
        let text = ReferenceText(model.fullText)
        #expect(content.displayTextRange.map { [$0.start, $0.end] } == model.displayTextRange.map(text.position))
        let places =
            (content.entities?.urls ?? []).map(\.indices) + (content.entities?.userMentions ?? []).map(\.indices)
        let sent = (model.entities.urls ?? []).map(\.indices) + (model.entities.userMentions ?? []).map(\.indices)
        #expect(places.map { $0.map { [$0.start, $0.end] } } == sent.map { $0.map(text.position) })
        #expect(content.entities?.urls?.map(\.expandedUrl) == model.entities.urls?.map(\.expandedUrl))
        #expect(content.entities?.userMentions?.map(\.id) == model.entities.userMentions?.map { String($0.id) })
        expect(content.user, model.user)
        let quote = tweet.quotedStatus?.value.content
        #expect((quote == nil) == (model.quotedStatus == nil))
        if let quote, let quoted = model.quotedStatus { expect(quote, quoted) }
    }

    private static func expect(_ quote: TweetContent, _ model: ArticleModels.QuotedTweet) {
        let text = ReferenceText(model.fullText)
        #expect(quote.createdAt.date == model.createdAt)
        #expect(quote.id == String(model.id))
        #expect(quote.fullText == text.text)
        #expect(quote.displayTextRange.map { [$0.start, $0.end] } == model.displayTextRange.map(text.position))
        #expect(model.source.contains(">\(quote.source?.name ?? "-")</a>"))
        #expect(quote.isQuoteStatus == model.isQuoteStatus)
        #expect(quote.retweetCount == model.retweetCount && quote.favoriteCount == model.favoriteCount)
        #expect(quote.favorited == model.favorited && quote.retweeted == model.retweeted)
        #expect(quote.possiblySensitive == model.possiblySensitive && quote.lang == model.lang)
        let media = model.extendedEntities.media
        #expect(quote.media?.map(\.id) == media?.map { String($0.id) })
        #expect(quote.media?.map(\.url) == media?.map(\.mediaUrlHttps))
        #expect(
            quote.media?.map { $0.indices.map { [$0.start, $0.end] } } == media?.map { $0.indices.map(text.position) })
        expect(quote.user, model.user)
    }

    private static func expect(_ user: User?, _ model: ArticleModels.TweetUser) {
        #expect(user?.id == String(model.id))
        #expect(user?.name == model.name && user?.screenName == model.screenName)
        #expect(user?.followersCount == model.followersCount)
        #expect(user?.createdAt?.date == model.createdAt)
        #expect(ArticleModels.Color.isSame(model.profileBackgroundColor, user?.profileBackgroundColor))
        #expect(ArticleModels.Color.isSame(model.profileLinkColor, user?.profileLinkColor))
        #expect(ArticleModels.Color.isSame(model.profileTextColor, user?.profileTextColor))
    }
}
