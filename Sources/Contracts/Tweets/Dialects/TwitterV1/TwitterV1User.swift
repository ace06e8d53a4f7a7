import LenientCoding

extension TwitterV1 {
    /// A user as it is sent.
    struct Profile: Record {
        /// What is sent as the contract has it.
        var user = User()
        var id: TweetID?, idText: TweetID?
        var createdAt: Moment?
        var image: SentText?, secureImage: SentText?
        var withheldInCountries: Countries?

        static let schema = Schema<Profile> {
            Field("id", \.id)
            Field("id_str", \.idText)
            Field("name", \.user.name)
            Field("screen_name", \.user.screenName)
            Field("description", \.user.description)
            Field("location", \.user.location)
            Field("url", \.user.url)
            Field("protected", \.user.protected)
            Field("verified", \.user.verified)
            Field("followers_count", \.user.followersCount, .absent(-1))
            Field("friends_count", \.user.friendsCount, .absent(-1))
            Field("listed_count", \.user.listedCount, .absent(-1))
            Field("favourites_count", \.user.favouritesCount, .absent(-1))
            Field("statuses_count", \.user.statusesCount, .absent(-1))
            Field("created_at", \.createdAt)
            Field("profile_image_url", \.image)
            Field("profile_image_url_https", \.secureImage)
            Field("profile_banner_url", \.user.profileBannerUrl)
            Field("profile_background_color", \.user.profileBackgroundColor)
            Field("profile_link_color", \.user.profileLinkColor)
            Field("profile_sidebar_border_color", \.user.profileSidebarBorderColor)
            Field("profile_sidebar_fill_color", \.user.profileSidebarFillColor)
            Field("profile_text_color", \.user.profileTextColor)
            Field("default_profile", \.user.defaultProfile)
            Field("default_profile_image", \.user.defaultProfileImage)
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
