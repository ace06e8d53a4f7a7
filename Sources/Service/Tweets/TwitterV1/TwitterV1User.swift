import Records

extension TwitterV1 {
    struct WireUser: WireRecord {
        var user = User()
        var id: WireID?, idString: WireID?, createdAt: WireDate?
        var image: String?, secureImage: String?, link: WireProfileLink?, withheldInCountries: CountryCodes?

        static let schema = Schema<WireUser> {
            Field("id", \.id)
            Field("id_str", \.idString)
            Field("name", \.user.name)
            Field("screen_name", \.user.screenName)
            Field("description", \.user.description)
            Field("location", \.user.location)
            Field("url", \.user.url, .address)
            Field("entities", \.link)
            Field("protected", \.user.protected)
            Field("verified", \.user.verified)
            Field("followers_count", \.user.followersCount, .absent(-1))
            Field("friends_count", \.user.friendsCount, .absent(-1))
            Field("listed_count", \.user.listedCount, .absent(-1))
            Field("favourites_count", \.user.favouritesCount, .absent(-1))
            Field("statuses_count", \.user.statusesCount, .absent(-1))
            Field("created_at", \.createdAt)
            Field("profile_image_url", \.image, .address)
            Field("profile_image_url_https", \.secureImage, .address)
            Field("profile_banner_url", \.user.profileBannerUrl, .address)
            Field("profile_background_color", \.user.profileBackgroundColor)
            Field("profile_link_color", \.user.profileLinkColor)
            Field("profile_sidebar_border_color", \.user.profileSidebarBorderColor)
            Field("profile_sidebar_fill_color", \.user.profileSidebarFillColor)
            Field("profile_text_color", \.user.profileTextColor)
            Field("default_profile", \.user.defaultProfile)
            Field("default_profile_image", \.user.defaultProfileImage)
            Field("withheld_in_countries", \.withheldInCountries, .dropInvalid)
            Ignored(
                "contributors_enabled", "derived", "follow_request_sent", "following", "geo_enabled",
                "has_extended_profile", "is_translation_enabled", "is_translator", "lang", "live_following", "muting",
                "notifications", "profile_background_image_url", "profile_background_image_url_https",
                "profile_background_tile", "profile_banner_extensions_alt_text", "profile_image_extensions_alt_text",
                "profile_location", "profile_use_background_image", "show_all_inline_media", "status", "time_zone",
                "translator_type", "utc_offset", "withheld_scope")
        }

        mutating func convert(to model: inout User, _ reader: inout RecordReader) -> Bool {
            guard let id = reader.demand(idString.take() ?? id, "id") else { return false }
            user.id = id.text
            user.createdAt = createdAt?.time
            if let target = link?.target { user.url = target }
            user.profileImageUrl = secureImage.take() ?? image.take()
            user.profileImageUrl?.useSecureScheme()
            user.profileBannerUrl?.useSecureScheme()
            user.withheldInCountries = withheldInCountries?.codes
            swap(&model, &user)
            return true
        }
    }
}
