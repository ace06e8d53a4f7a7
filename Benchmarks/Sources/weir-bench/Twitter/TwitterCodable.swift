import Foundation

/// A Twitter v1.1 search answer as plain Codable types.
///
/// The types have every member of the recorded answer whose type the answer shows.
enum TwitterCodable {
    /// The root of the answer.
    struct Search: Codable {
        var statuses: [Tweet]
        var searchMetadata: SearchMetadata
    }

    /// The metadata of the search.
    struct SearchMetadata: Codable {
        var completedIn: Double
        var maxId: Int
        var maxIdStr: String
        var nextResults: String
        var query: String
        var refreshUrl: String
        var count: Int
        var sinceId: Int
        var sinceIdStr: String
    }

    /// A tweet with the tweet that it retweets.
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

    /// A retweeted tweet; a separate type, because a struct cannot contain itself.
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

    /// The metadata of a tweet in a search.
    struct Metadata: Codable {
        var resultType: String
        var isoLanguageCode: String
    }

    /// A user.
    struct User: Codable {
        var id: Int
        var idStr: String
        var name: String
        var screenName: String
        var location: String
        var description: String
        var url: String?
        var entities: UserEntities
        var protected: Bool
        var followersCount: Int
        var friendsCount: Int
        var listedCount: Int
        var createdAt: Date
        var favouritesCount: Int
        var utcOffset: Int?
        var timeZone: String?
        var geoEnabled: Bool
        var verified: Bool
        var statusesCount: Int
        var lang: String
        var contributorsEnabled: Bool
        var isTranslator: Bool
        var isTranslationEnabled: Bool
        var profileBackgroundColor: String
        var profileBackgroundImageUrl: String
        var profileBackgroundImageUrlHttps: String
        var profileBackgroundTile: Bool
        var profileImageUrl: String
        var profileImageUrlHttps: String
        var profileBannerUrl: String?
        var profileLinkColor: String
        var profileSidebarBorderColor: String
        var profileSidebarFillColor: String
        var profileTextColor: String
        var profileUseBackgroundImage: Bool
        var defaultProfile: Bool
        var defaultProfileImage: Bool
        var following: Bool
        var followRequestSent: Bool
        var notifications: Bool
    }

    /// The entities in the texts of a user.
    struct UserEntities: Codable {
        var description: LinkList
        var url: LinkList?
    }

    /// The links in one text of a user.
    struct LinkList: Codable {
        var urls: [Link]
    }

    /// The entities in the text of a tweet.
    struct Entities: Codable {
        var hashtags: [Hashtag]
        var symbols: [Hashtag]
        var urls: [Link]
        var userMentions: [Mention]
        var media: [Media]?
    }

    /// A hashtag.
    struct Hashtag: Codable {
        var text: String
        var indices: [Int]
    }

    /// A link in a text.
    struct Link: Codable {
        var url: String
        var expandedUrl: String
        var displayUrl: String
        var indices: [Int]
    }

    /// A mentioned user.
    struct Mention: Codable {
        var screenName: String
        var name: String
        var id: Int
        var idStr: String
        var indices: [Int]
    }

    /// A picture attached to a tweet.
    struct Media: Codable {
        var id: Int
        var idStr: String
        var indices: [Int]
        var mediaUrl: String
        var mediaUrlHttps: String
        var url: String
        var displayUrl: String
        var expandedUrl: String
        var type: String
        var sizes: Sizes
        var sourceStatusId: Int?
        var sourceStatusIdStr: String?
    }

    /// The available sizes of a picture.
    struct Sizes: Codable {
        var medium: Size
        var small: Size
        var thumb: Size
        var large: Size
    }

    /// One size of a picture.
    struct Size: Codable {
        var w: Int
        var h: Int
        var resize: String
    }
}
