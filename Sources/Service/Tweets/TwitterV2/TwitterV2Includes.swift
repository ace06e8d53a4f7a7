import Contracts
import Records

extension TwitterV2 {
    /// The objects that tweets refer to by their ids.
    struct Includes: Record {
        var users: ConvertedList<WireUser>?, tweets: [WireTweet]?, media: [WireMedia]?, places: [WirePlace]?,
            polls: [WirePoll]?

        static let schema = Schema<Includes> {
            Field("users", \.users, .dropInvalid)
            Field("tweets", \.tweets, .or("posts"), .dropInvalid)
            Field("media", \.media, .dropInvalid)
            Field("places", \.places, .dropInvalid)
            Field("polls", \.polls, .dropInvalid)
            Ignored("topics")
        }
    }

    struct WireUser: WireRecord {
        var user = User(), id = WireID.text("")
        var metrics: UserMetrics?, createdAt: WireDate?, link: WireProfileLink?, withheld: Withheld?

        static let schema = Schema<WireUser> {
            Field("id", \.id)
            Field("name", \.user.name)
            Field("username", \.user.screenName)
            Field("description", \.user.description)
            Field("location", \.user.location)
            Field("url", \.user.url, .address)
            Field("entities", \.link)
            Field("protected", \.user.protected)
            Field("verified", \.user.verified)
            Field("public_metrics", \.metrics)
            Field("created_at", \.createdAt)
            Field("profile_image_url", \.user.profileImageUrl, .address)
            Field("profile_banner_url", \.user.profileBannerUrl, .address)
            Field("withheld", \.withheld)
            Ignored(
                "affiliation", "confirmed_email", "connection_status", "is_identity_verified",
                "most_recent_post_id", "most_recent_tweet_id", "parody", "pinned_post_id", "pinned_tweet_id",
                "receives_your_dm", "subscribes_to_you", "subscription", "subscription_type",
                "verified_followers_count", "verified_type")
        }

        mutating func convert(to model: inout User, _ reader: inout RecordReader) -> Bool {
            user.id = id.text
            user.followersCount = metrics?.followers
            user.friendsCount = metrics?.following
            user.listedCount = metrics?.listed
            user.favouritesCount = metrics?.likes
            user.statusesCount = metrics?.tweets
            user.createdAt = createdAt?.time
            if let target = link?.target { user.url = target }
            user.profileImageUrl?.useSecureScheme()
            user.profileBannerUrl?.useSecureScheme()
            user.withheldInCountries = withheld?.countries
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

    struct WireMedia: Record {
        var media = Media(), type: String?, preview: String?, variants: [WireVariant]?

        static let schema = Schema<WireMedia> {
            Field("media_key", \.media.id, .id)
            Field("type", \.type)
            Field("url", \.media.url, .address)
            Field("preview_image_url", \.preview, .address)
            Field("alt_text", \.media.altText)
            Field("width", \.media.width)
            Field("height", \.media.height)
            Field("duration_ms", \.media.durationMillis)
            Field("variants", \.variants, .dropInvalid)
            Ignored("public_metrics", "non_public_metrics", "organic_metrics", "promoted_metrics")
        }

        func model(_ reader: inout RecordReader) -> Media {
            var media = media
            media.setType(type, &reader)
            media.url = media.url ?? preview
            media.url?.useSecureScheme()
            media.variants = variants?.map(\.variant)
            return media
        }
    }

    struct WireVariant: Record {
        var variant = MediaVariant()

        static let schema = Schema<WireVariant> {
            Field("bit_rate", \.variant.bitrate, .or("bitrate"))
            Field("content_type", \.variant.contentType)
            Field("url", \.variant.url, .address)
        }
    }

    struct WirePlace: Record {
        var place = Place()

        static let schema = Schema<WirePlace> {
            Field("id", \.place.id, .required, .id)
            Field("name", \.place.name)
            Field("full_name", \.place.fullName)
            Field("place_type", \.place.placeType)
            Field("country", \.place.country)
            Field("country_code", \.place.countryCode)
            Field("geo", \.place.boundingBox)
            Ignored("contained_within", "coordinates", "place_id")
        }

        var model: Place {
            var place = place
            place.boundingBox = place.boundingBox?.cleaned
            return place
        }
    }

    struct WirePoll: Record {
        var poll = Poll(), id = "", options: [WirePollOption]?, endTime: WireDate?

        static let schema = Schema<WirePoll> {
            Field("id", \.id, .id)
            Field("options", \.options, .dropInvalid)
            Field("end_datetime", \.endTime)
            Field("duration_minutes", \.poll.durationMinutes)
            Ignored("voting_status")
        }

        var model: Poll {
            var poll = poll
            poll.options = options?.map(\.option)
            poll.endTime = endTime?.time
            return poll
        }
    }
}
