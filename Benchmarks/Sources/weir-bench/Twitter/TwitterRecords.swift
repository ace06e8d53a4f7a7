import Records

/// A Twitter v1.1 search answer as records, with the members of `TwitterCodable`.
enum TwitterRecords {
    /// The root of the answer.
    struct Search: Record {
        var statuses: [Tweet] = []
        var searchMetadata = SearchMetadata()

        static let schema = Schema<Search> {
            Field(\.statuses)
            Field(\.searchMetadata, .or("search_metadata"))
        }
    }

    /// The metadata of the search.
    struct SearchMetadata: Record {
        var completedIn = 0.0
        var maxId = 0
        var maxIdStr = ""
        var nextResults = ""
        var query = ""
        var refreshUrl = ""
        var count = 0
        var sinceId = 0
        var sinceIdStr = ""

        static let schema = Schema<SearchMetadata> {
            Field(\.completedIn, .or("completed_in"))
            Field(\.maxId, .or("max_id"))
            Field(\.maxIdStr, .or("max_id_str"))
            Field(\.nextResults, .or("next_results"))
            Field(\.query)
            Field(\.refreshUrl, .or("refresh_url"))
            Field(\.count)
            Field(\.sinceId, .or("since_id"))
            Field(\.sinceIdStr, .or("since_id_str"))
        }
    }

    /// A tweet with the tweet that it retweets.
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

    /// A retweeted tweet; a separate type, because a struct cannot contain itself.
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

    /// The metadata of a tweet in a search.
    struct Metadata: Record {
        var resultType = ""
        var isoLanguageCode = ""

        static let schema = Schema<Metadata> {
            Field(\.resultType, .or("result_type"))
            Field(\.isoLanguageCode, .or("iso_language_code"))
        }
    }

    /// A user.
    struct User: Record {
        var id = 0
        var idStr = ""
        var name = ""
        var screenName = ""
        var location = ""
        var description = ""
        var url: String?
        var entities = UserEntities()
        var protected = false
        var followersCount = 0
        var friendsCount = 0
        var listedCount = 0
        var createdAt = TweetDate()
        var favouritesCount = 0
        var utcOffset: Int?
        var timeZone: String?
        var geoEnabled = false
        var verified = false
        var statusesCount = 0
        var lang = ""
        var contributorsEnabled = false
        var isTranslator = false
        var isTranslationEnabled = false
        var profileBackgroundColor = ""
        var profileBackgroundImageUrl = ""
        var profileBackgroundImageUrlHttps = ""
        var profileBackgroundTile = false
        var profileImageUrl = ""
        var profileImageUrlHttps = ""
        var profileBannerUrl: String?
        var profileLinkColor = ""
        var profileSidebarBorderColor = ""
        var profileSidebarFillColor = ""
        var profileTextColor = ""
        var profileUseBackgroundImage = false
        var defaultProfile = false
        var defaultProfileImage = false
        var following = false
        var followRequestSent = false
        var notifications = false

        static let schema = Schema<User> {
            Field(\.id)
            Field(\.idStr, .or("id_str"))
            Field(\.name)
            Field(\.screenName, .or("screen_name"))
            Field(\.location)
            Field(\.description)
            Field(\.url)
            Field(\.entities)
            Field(\.protected)
            Field(\.followersCount, .or("followers_count"))
            Field(\.friendsCount, .or("friends_count"))
            Field(\.listedCount, .or("listed_count"))
            Field(\.createdAt, .or("created_at"))
            Field(\.favouritesCount, .or("favourites_count"))
            Field(\.utcOffset, .or("utc_offset"))
            Field(\.timeZone, .or("time_zone"))
            Field(\.geoEnabled, .or("geo_enabled"))
            Field(\.verified)
            Field(\.statusesCount, .or("statuses_count"))
            Field(\.lang)
            Field(\.contributorsEnabled, .or("contributors_enabled"))
            Field(\.isTranslator, .or("is_translator"))
            Field(\.isTranslationEnabled, .or("is_translation_enabled"))
            Field(\.profileBackgroundColor, .or("profile_background_color"))
            Field(\.profileBackgroundImageUrl, .or("profile_background_image_url"))
            Field(\.profileBackgroundImageUrlHttps, .or("profile_background_image_url_https"))
            Field(\.profileBackgroundTile, .or("profile_background_tile"))
            Field(\.profileImageUrl, .or("profile_image_url"))
            Field(\.profileImageUrlHttps, .or("profile_image_url_https"))
            Field(\.profileBannerUrl, .or("profile_banner_url"))
            Field(\.profileLinkColor, .or("profile_link_color"))
            Field(\.profileSidebarBorderColor, .or("profile_sidebar_border_color"))
            Field(\.profileSidebarFillColor, .or("profile_sidebar_fill_color"))
            Field(\.profileTextColor, .or("profile_text_color"))
            Field(\.profileUseBackgroundImage, .or("profile_use_background_image"))
            Field(\.defaultProfile, .or("default_profile"))
            Field(\.defaultProfileImage, .or("default_profile_image"))
            Field(\.following)
            Field(\.followRequestSent, .or("follow_request_sent"))
            Field(\.notifications)
        }
    }

    /// The entities in the texts of a user.
    struct UserEntities: Record {
        var description = LinkList()
        var url: LinkList?

        static let schema = Schema<UserEntities> {
            Field(\.description)
            Field(\.url)
        }
    }

    /// The links in one text of a user.
    struct LinkList: Record {
        var urls: [Link] = []

        static let schema = Schema<LinkList> {
            Field(\.urls)
        }
    }

    /// The entities in the text of a tweet.
    struct Entities: Record {
        var hashtags: [Hashtag] = []
        var symbols: [Hashtag] = []
        var urls: [Link] = []
        var userMentions: [Mention] = []
        var media: [Media]?

        static let schema = Schema<Entities> {
            Field(\.hashtags)
            Field(\.symbols)
            Field(\.urls)
            Field(\.userMentions, .or("user_mentions"))
            Field(\.media)
        }
    }

    /// A hashtag.
    struct Hashtag: Record {
        var text = ""
        var indices: [Int] = []

        static let schema = Schema<Hashtag> {
            Field(\.text)
            Field(\.indices)
        }
    }

    /// A link in a text.
    struct Link: Record {
        var url = ""
        var expandedUrl = ""
        var displayUrl = ""
        var indices: [Int] = []

        static let schema = Schema<Link> {
            Field(\.url)
            Field(\.expandedUrl, .or("expanded_url"))
            Field(\.displayUrl, .or("display_url"))
            Field(\.indices)
        }
    }

    /// A mentioned user.
    struct Mention: Record {
        var screenName = ""
        var name = ""
        var id = 0
        var idStr = ""
        var indices: [Int] = []

        static let schema = Schema<Mention> {
            Field(\.screenName, .or("screen_name"))
            Field(\.name)
            Field(\.id)
            Field(\.idStr, .or("id_str"))
            Field(\.indices)
        }
    }

    /// A picture attached to a tweet.
    struct Media: Record {
        var id = 0
        var idStr = ""
        var indices: [Int] = []
        var mediaUrl = ""
        var mediaUrlHttps = ""
        var url = ""
        var displayUrl = ""
        var expandedUrl = ""
        var type = ""
        var sizes = Sizes()
        var sourceStatusId: Int?
        var sourceStatusIdStr: String?

        static let schema = Schema<Media> {
            Field(\.id)
            Field(\.idStr, .or("id_str"))
            Field(\.indices)
            Field(\.mediaUrl, .or("media_url"))
            Field(\.mediaUrlHttps, .or("media_url_https"))
            Field(\.url)
            Field(\.displayUrl, .or("display_url"))
            Field(\.expandedUrl, .or("expanded_url"))
            Field(\.type)
            Field(\.sizes)
            Field(\.sourceStatusId, .or("source_status_id"))
            Field(\.sourceStatusIdStr, .or("source_status_id_str"))
        }
    }

    /// The available sizes of a picture.
    struct Sizes: Record {
        var medium = Size()
        var small = Size()
        var thumb = Size()
        var large = Size()

        static let schema = Schema<Sizes> {
            Field(\.medium)
            Field(\.small)
            Field(\.thumb)
            Field(\.large)
        }
    }

    /// One size of a picture.
    struct Size: Record {
        var w = 0
        var h = 0
        var resize = ""

        static let schema = Schema<Size> {
            Field(\.w)
            Field(\.h)
            Field(\.resize)
        }
    }
}
