import LenientCoding

extension TwitterRecords {
    /// A tweet, and the one that it repeats.
    struct Tweet: Record {
        var metadata = Metadata()
        var createdAt = TweetDate()
        var id = 0
        var idStr = ""
        var text = ""
        var source = ""
        var truncated = false
        var inReplyToStatusId: Int?
        var inReplyToStatusIdStr: String?
        var inReplyToUserId: Int?
        var inReplyToUserIdStr: String?
        var inReplyToScreenName: String?
        var user = User()
        var retweetedStatus: Retweet?
        var retweetCount = 0
        var favoriteCount = 0
        var entities = Entities()
        var favorited = false
        var retweeted = false
        var possiblySensitive: Bool?
        var lang = ""

        static let schema = Schema<Tweet> {
            Field(\.metadata)
            Field(\.createdAt, .or("created_at"))
            Field(\.id)
            Field(\.idStr, .or("id_str"))
            Field(\.text)
            Field(\.source)
            Field(\.truncated)
            Field(\.inReplyToStatusId, .or("in_reply_to_status_id"))
            Field(\.inReplyToStatusIdStr, .or("in_reply_to_status_id_str"))
            Field(\.inReplyToUserId, .or("in_reply_to_user_id"))
            Field(\.inReplyToUserIdStr, .or("in_reply_to_user_id_str"))
            Field(\.inReplyToScreenName, .or("in_reply_to_screen_name"))
            Field(\.user)
            Field(\.retweetedStatus, .or("retweeted_status"))
            Field(\.retweetCount, .or("retweet_count"))
            Field(\.favoriteCount, .or("favorite_count"))
            Field(\.entities)
            Field(\.favorited)
            Field(\.retweeted)
            Field(\.possiblySensitive, .or("possibly_sensitive"))
            Field(\.lang)
        }
    }

    /// A tweet that another one repeats: a type of its own, since a struct cannot hold itself.
    struct Retweet: Record {
        var metadata = Metadata()
        var createdAt = TweetDate()
        var id = 0
        var idStr = ""
        var text = ""
        var source = ""
        var truncated = false
        var inReplyToStatusId: Int?
        var inReplyToStatusIdStr: String?
        var inReplyToUserId: Int?
        var inReplyToUserIdStr: String?
        var inReplyToScreenName: String?
        var user = User()
        var retweetCount = 0
        var favoriteCount = 0
        var entities = Entities()
        var favorited = false
        var retweeted = false
        var possiblySensitive: Bool?
        var lang = ""

        static let schema = Schema<Retweet> {
            Field(\.metadata)
            Field(\.createdAt, .or("created_at"))
            Field(\.id)
            Field(\.idStr, .or("id_str"))
            Field(\.text)
            Field(\.source)
            Field(\.truncated)
            Field(\.inReplyToStatusId, .or("in_reply_to_status_id"))
            Field(\.inReplyToStatusIdStr, .or("in_reply_to_status_id_str"))
            Field(\.inReplyToUserId, .or("in_reply_to_user_id"))
            Field(\.inReplyToUserIdStr, .or("in_reply_to_user_id_str"))
            Field(\.inReplyToScreenName, .or("in_reply_to_screen_name"))
            Field(\.user)
            Field(\.retweetCount, .or("retweet_count"))
            Field(\.favoriteCount, .or("favorite_count"))
            Field(\.entities)
            Field(\.favorited)
            Field(\.retweeted)
            Field(\.possiblySensitive, .or("possibly_sensitive"))
            Field(\.lang)
        }
    }

    /// What the search says of a tweet.
    struct Metadata: Record {
        var resultType = ""
        var isoLanguageCode = ""

        static let schema = Schema<Metadata> {
            Field(\.resultType, .or("result_type"))
            Field(\.isoLanguageCode, .or("iso_language_code"))
        }
    }
}
