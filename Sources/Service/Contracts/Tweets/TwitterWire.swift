import API
import JSONText
import Records

/// What both versions of Twitter's API send: users, and entities of texts.
///
/// The first name of a field is that of v1.1.
enum Twitter {
    struct WireUser: WireRecord {
        var user = User()
        var id: WireID?, idString: WireID?, createdAt: WireDate?, metrics: UserMetrics?
        var image: String?, secureImage: String?, link: WireProfileLink?
        var withheldInCountries: CountryCodes?, withheld: Withheld?

        static let schema = Schema<WireUser> {
            Field("id", \.id)
            Field("id_str", \.idString)
            Field("name", \.user.name)
            Field("screen_name", \.user.screenName, .or("username"))
            Field("description", \.user.description)
            Field("location", \.user.location)
            Field("url", \.user.url, .address)
            Field("entities", \.link)
            Field("protected", \.user.protected)
            Field("verified", \.user.verified)
            Field("public_metrics", \.metrics)
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
            Field("withheld", \.withheld)
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
            if let metrics {
                (user.followersCount, user.friendsCount) = (metrics.followers, metrics.following)
                (user.listedCount, user.favouritesCount) = (metrics.listed, metrics.likes)
                user.statusesCount = metrics.tweets
            }
            user.createdAt = createdAt?.time
            if let target = link?.target { user.url = target }
            user.profileImageUrl = secureImage.take() ?? image.take()
            user.profileImageUrl?.useSecureScheme()
            user.profileBannerUrl?.useSecureScheme()
            user.withheldInCountries = withheldInCountries?.codes ?? withheld?.countries
            swap(&model, &user)
            return true
        }
    }

    struct UserMetrics: Record {
        var followers: Int?, following: Int?, tweets: Int?, listed: Int?, likes: Int?

        static let schema = Schema<UserMetrics>(.absent(-1)) {
            Field("followers_count", \.followers)
            Field("following_count", \.following)
            Field("tweet_count", \.tweets, .or("post_count"))
            Field("listed_count", \.listed)
            Field("like_count", \.likes)
            Ignored("media_count")
        }
    }

    struct Withheld: Record {
        var countries: [String]?, scope: String?

        static let schema = Schema<Withheld> {
            Field("country_codes", \.countries, .dropInvalid)
            Field("scope", \.scope)
            Ignored("copyright")
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

    /// The lists of entities that both versions have, under names of their own.
    struct EntityLists {
        var hashtags: [WireHashtag]?, symbols: [WireHashtag]?, urls: [WireLink]?, mentions: [WireMention]?
    }

    /// A hashtag or a ticker symbol.
    struct WireHashtag: WireEntity {
        var entity = Hashtag(), indices: WireIndices?, start: Int?, end: Int?

        static let schema = Schema<WireHashtag> {
            Field("text", \.entity.text, .or("tag"))
            Field("indices", \.indices)
            Field("start", \.start)
            Field("end", \.end)
        }
    }

    /// A link in a text; of v2, a link to attached media has the key of the media.
    struct WireLink: WireEntity {
        var entity = Link(), mediaKey: String?, indices: WireIndices?, start: Int?, end: Int?

        static let schema = Schema<WireLink> {
            Field("url", \.entity.url, .address)
            Field("expanded_url", \.entity.expandedUrl, .address)
            Field("display_url", \.entity.displayUrl, .address)
            Field("media_key", \.mediaKey)
            Field("indices", \.indices)
            Field("start", \.start)
            Field("end", \.end)
            Ignored("description", "images", "status", "title", "unwound", "unwound_url")
        }
    }

    struct WireMention: WireEntity {
        var mention = UserMention(), id: WireID?, idString: WireID?, indices: WireIndices?, start: Int?, end: Int?

        static let schema = Schema<WireMention> {
            Field("id", \.id)
            Field("id_str", \.idString)
            Field("name", \.mention.name)
            Field("screen_name", \.mention.screenName, .or("username"))
            Field("indices", \.indices)
            Field("start", \.start)
            Field("end", \.end)
            Ignored(
                "created_at", "description", "entities", "location", "pinned_tweet", "pinned_tweet_id",
                "profile_image_url", "protected", "public_metrics", "url", "verified", "verified_type", "withheld")
        }

        var entity: UserMention {
            var mention = mention
            mention.id = (idString ?? id)?.text
            return mention
        }
    }
}
