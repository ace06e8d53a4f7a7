import LenientCoding

extension TwitterRecords {
    /// Somebody who tweets.
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

    /// The links in a user's texts.
    struct UserEntities: Record {
        var description = LinkList()
        var url: LinkList?

        static let schema = Schema<UserEntities> {
            Field(\.description)
            Field(\.url)
        }
    }

    /// The links in one of a user's texts.
    struct LinkList: Record {
        var urls: [Link] = []

        static let schema = Schema<LinkList> {
            Field(\.urls)
        }
    }
}
