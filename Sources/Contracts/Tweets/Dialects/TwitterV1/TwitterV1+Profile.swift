import LenientCoding

extension TwitterV1 {
    /// A user.
    struct Profile: Record {
        var id: TweetID?, idText: TweetID?
        var name: String?, screenName: String?, description: String?, location: String?, url: String?
        var protected: Bool?, verified: Bool?
        var followersCount: Int?, friendsCount: Int?, listedCount: Int?, favouritesCount: Int?, statusesCount: Int?
        var createdAt: Moment?
        var image: String?, secureImage: String?, banner: String?
        var backgroundColor: HexColor?, linkColor: HexColor?, sidebarBorderColor: HexColor?,
            sidebarFillColor: HexColor?, textColor: HexColor?
        var defaultProfile: Bool?, defaultProfileImage: Bool?
        var withheldInCountries: Countries?

        static let schema = Schema<Profile> {
            Field("id", \.id)
            Field("id_str", \.idText)
            Field("name", \.name)
            Field("screen_name", \.screenName)
            Field("description", \.description)
            Field("location", \.location)
            Field("url", \.url)
            Field("protected", \.protected)
            Field("verified", \.verified)
            Field("followers_count", \.followersCount, .absent(-1))
            Field("friends_count", \.friendsCount, .absent(-1))
            Field("listed_count", \.listedCount, .absent(-1))
            Field("favourites_count", \.favouritesCount, .absent(-1))
            Field("statuses_count", \.statusesCount, .absent(-1))
            Field("created_at", \.createdAt)
            Field("profile_image_url", \.image)
            Field("profile_image_url_https", \.secureImage)
            Field("profile_banner_url", \.banner)
            Field("profile_background_color", \.backgroundColor)
            Field("profile_link_color", \.linkColor)
            Field("profile_sidebar_border_color", \.sidebarBorderColor)
            Field("profile_sidebar_fill_color", \.sidebarFillColor)
            Field("profile_text_color", \.textColor)
            Field("default_profile", \.defaultProfile)
            Field("default_profile_image", \.defaultProfileImage)
            Field("withheld_in_countries", \.withheldInCountries, .dropInvalid)
            Ignored(
                "contributors_enabled", "derived", "entities", "follow_request_sent", "following", "geo_enabled",
                "has_extended_profile", "is_translation_enabled", "is_translator", "lang", "live_following", "muting",
                "notifications", "profile_background_image_url", "profile_background_image_url_https",
                "profile_background_tile", "profile_banner_extensions_alt_text", "profile_image_extensions_alt_text",
                "profile_location", "profile_use_background_image", "show_all_inline_media", "status", "time_zone",
                "translator_type", "utc_offset", "withheld_scope")
        }
    }
}
