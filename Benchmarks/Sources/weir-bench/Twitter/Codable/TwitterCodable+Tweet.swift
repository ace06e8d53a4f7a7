import Foundation

extension TwitterCodable {
    /// A tweet, and the one that it repeats.
    struct Tweet: Codable {
        var metadata: Metadata
        var createdAt: Date
        var id: Int
        var idStr: String
        var text: String
        var source: String
        var truncated: Bool
        var inReplyToStatusId: Int?
        var inReplyToStatusIdStr: String?
        var inReplyToUserId: Int?
        var inReplyToUserIdStr: String?
        var inReplyToScreenName: String?
        var user: User
        var retweetedStatus: Retweet?
        var retweetCount: Int
        var favoriteCount: Int
        var entities: Entities
        var favorited: Bool
        var retweeted: Bool
        var possiblySensitive: Bool?
        var lang: String
    }

    /// A tweet that another one repeats: a type of its own, since a struct cannot hold itself.
    struct Retweet: Codable {
        var metadata: Metadata
        var createdAt: Date
        var id: Int
        var idStr: String
        var text: String
        var source: String
        var truncated: Bool
        var inReplyToStatusId: Int?
        var inReplyToStatusIdStr: String?
        var inReplyToUserId: Int?
        var inReplyToUserIdStr: String?
        var inReplyToScreenName: String?
        var user: User
        var retweetCount: Int
        var favoriteCount: Int
        var entities: Entities
        var favorited: Bool
        var retweeted: Bool
        var possiblySensitive: Bool?
        var lang: String
    }

    /// What the search says of a tweet.
    struct Metadata: Codable {
        var resultType: String
        var isoLanguageCode: String
    }
}
