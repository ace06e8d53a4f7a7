import API
import JSONText
import Records

/// A user of Twitter, or an account of Mastodon, which has another name, a text in HTML and `acct` beside `username`.
struct WireUser: WireRecord {
    var user = User()
    var id: WireID?, idString: WireID?, createdAt: WireDate?
    var address: String?, note: String?, image: String?, secureImage: String?, link: WireProfileLink?
    var withheldInCountries: CountryCodes?

    static let schema = Schema<WireUser> {
        Field("id", \.id)
        Field("id_str", \.idString)
        Field("name", \.user.name)
        Field("display_name", \.user.name)
        Field("screen_name", \.user.screenName, .or("username"))
        Field("acct", \.address)
        Field("description", \.user.description)
        Field("note", \.note)
        Field("location", \.user.location)
        Field("url", \.user.url, .address)
        Field("entities", \.link)
        Field("protected", \.user.protected)
        Field("locked", \.user.protected)
        Field("verified", \.user.verified)
        Field("bot", \.user.bot)
        Field("public_metrics.followers_count", \.user.followersCount, .absent(-1))
        Field("public_metrics.following_count", \.user.friendsCount, .absent(-1))
        Field("public_metrics.listed_count", \.user.listedCount, .absent(-1))
        Field("public_metrics.like_count", \.user.favouritesCount, .absent(-1))
        Field("public_metrics.tweet_count", \.user.statusesCount, .or("post_count"), .absent(-1))
        Ignored("media_count", in: "public_metrics")
        Field("followers_count", \.user.followersCount, .absent(-1))
        Field("friends_count", \.user.friendsCount, .absent(-1))
        Field("following_count", \.user.friendsCount, .absent(-1))
        Field("listed_count", \.user.listedCount, .absent(-1))
        Field("favourites_count", \.user.favouritesCount, .absent(-1))
        Field("statuses_count", \.user.statusesCount, .absent(-1))
        Field("created_at", \.createdAt)
        Field("profile_image_url", \.image, .address)
        Field("avatar", \.image, .address)
        Field("profile_image_url_https", \.secureImage, .address)
        Field("profile_banner_url", \.user.profileBannerUrl, .address)
        Field("header", \.user.profileBannerUrl, .address)
        Field("profile_background_color", \.user.profileBackgroundColor)
        Field("profile_link_color", \.user.profileLinkColor)
        Field("profile_sidebar_border_color", \.user.profileSidebarBorderColor)
        Field("profile_sidebar_fill_color", \.user.profileSidebarFillColor)
        Field("profile_text_color", \.user.profileTextColor)
        Field("default_profile", \.user.defaultProfile)
        Field("default_profile_image", \.user.defaultProfileImage)
        Field("withheld_in_countries", \.withheldInCountries, .dropInvalid)
        Field("withheld.country_codes", \.user.withheldInCountries, .dropInvalid)
        Ignored("copyright", "scope", in: "withheld")
        Ignored(
            "affiliation", "confirmed_email", "connection_status", "contributors_enabled", "derived",
            "follow_request_sent", "following", "geo_enabled", "has_extended_profile", "is_identity_verified",
            "is_translation_enabled", "is_translator", "lang", "live_following", "most_recent_post_id",
            "most_recent_tweet_id", "muting", "notifications", "parody", "pinned_post_id", "pinned_tweet_id",
            "profile_background_image_url", "profile_background_image_url_https", "profile_background_tile",
            "profile_banner_extensions_alt_text", "profile_image_extensions_alt_text", "profile_location",
            "profile_use_background_image", "receives_your_dm", "show_all_inline_media", "status",
            "subscribes_to_you", "subscription", "subscription_type", "time_zone", "translator_type", "utc_offset",
            "verified_followers_count", "verified_type", "withheld_scope")
    }

    mutating func convert(to model: inout User, _ reader: inout RecordReader) -> Bool {
        guard let id = reader.demand(idString.take() ?? id, "id") else { return false }
        user.id = id.text
        user.screenName = address ?? user.screenName
        if let note { user.description = PlainText(html: note).text }
        user.createdAt = createdAt?.time
        if let target = link?.target { user.url = target }
        user.profileImageUrl = secureImage.take() ?? image.take()
        user.profileImageUrl?.useSecureScheme()
        user.profileBannerUrl?.useSecureScheme()
        user.withheldInCountries = withheldInCountries?.codes ?? user.withheldInCountries
        swap(&model, &user)
        return true
    }
}

/// Country codes in an array or, in old answers, in one string: `GR, HK`.
struct CountryCodes: WireValue {
    let codes: [String]

    static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> CountryCodes? {
        if let text = node.string {
            return CountryCodes(codes: text.split { $0 == "," || $0 == " " }.map(String.init))
        }
        return [String].read(node, rules, &reader).map(CountryCodes.init)
    }
}
