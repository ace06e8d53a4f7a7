import JSONText
import LenientCoding

/// Twitter v2 as it is sent: `data` holds tweets that name what `includes` holds.
enum TwitterV2 {
    /// What tweets name, and how the list goes on.
    struct Envelope: Record {
        var includes: Includes?, meta: Meta?

        static let schema = Schema<Envelope> {
            Field("includes", \.includes)
            Field("meta", \.meta)
            Ignored("data", "errors", "matching_rules")
        }
    }

    /// What tweets name by their ids.
    struct Includes: Record {
        var users: [Profile]?, tweets: [Status]?, media: [Attachment]?, places: [Locality]?, polls: [Question]?

        static let schema = Schema<Includes> {
            Field("users", \.users, .dropInvalid)
            Field("tweets", \.tweets, .dropInvalid)
            Field("media", \.media, .dropInvalid)
            Field("places", \.places, .dropInvalid)
            Field("polls", \.polls, .dropInvalid)
            Ignored("topics")
        }
    }

    /// What is told of a list.
    struct Meta: Record {
        var resultCount: Int?, oldestID: String?, nextToken: String?

        static let schema = Schema<Meta> {
            Field("result_count", \.resultCount)
            Field("oldest_id", \.oldestID)
            Field("next_token", \.nextToken)
            Ignored("newest_id", "previous_token", "sent", "summary")
        }
    }

    /// A user.
    struct Profile: Record {
        var id = TweetID(text: "")
        var name: String?, username: String?, description: String?, location: String?, url: String?
        var protected: Bool?, verified: Bool?, metrics: ProfileMetrics?, createdAt: SentMoment?
        var image: String?, banner: String?, withheld: Withheld?

        static let schema = Schema<Profile> {
            Field("id", \.id)
            Field("name", \.name)
            Field("username", \.username)
            Field("description", \.description)
            Field("location", \.location)
            Field("url", \.url)
            Field("protected", \.protected)
            Field("verified", \.verified)
            Field("public_metrics", \.metrics)
            Field("created_at", \.createdAt)
            Field("profile_image_url", \.image)
            Field("profile_banner_url", \.banner)
            Field("withheld", \.withheld)
            Ignored(
                "affiliation", "connection_status", "entities", "is_identity_verified", "most_recent_tweet_id",
                "parody",
                "pinned_tweet_id", "receives_your_dm", "subscription", "subscription_type", "verified_type")
        }
    }

    /// What is counted of a user.
    struct ProfileMetrics: Record {
        var followers: Int?, following: Int?, tweets: Int?, listed: Int?, likes: Int?

        static let schema = Schema<ProfileMetrics>(.absent(-1)) {
            Field("followers_count", \.followers)
            Field("following_count", \.following)
            Field("tweet_count", \.tweets)
            Field("listed_count", \.listed)
            Field("like_count", \.likes)
            Ignored("media_count")
        }
    }

    /// A place.
    struct Locality: Record {
        var id = "", name: String?, fullName: String?, placeType: String?, country: String?, countryCode: String?
        var area: JSONValue?

        static let schema = Schema<Locality> {
            Field("id", \.id)
            Field("name", \.name)
            Field("full_name", \.fullName)
            Field("place_type", \.placeType)
            Field("country", \.country)
            Field("country_code", \.countryCode)
            Field("geo", \.area)
            Ignored("contained_within")
        }
    }

    /// A picture or a film.
    struct Attachment: Record {
        var key = "", type: String?, url: String?, preview: String?, altText: String?
        var width: Int?, height: Int?, duration: Int?, variants: [Variant]?

        static let schema = Schema<Attachment> {
            Field("media_key", \.key)
            Field("type", \.type)
            Field("url", \.url)
            Field("preview_image_url", \.preview)
            Field("alt_text", \.altText)
            Field("width", \.width)
            Field("height", \.height)
            Field("duration_ms", \.duration)
            Field("variants", \.variants, .dropInvalid)
            Ignored("public_metrics", "non_public_metrics", "organic_metrics", "promoted_metrics")
        }
    }

    /// A file of a film.
    struct Variant: Record {
        var bitrate: Int?, contentType: String?, url: String?

        static let schema = Schema<Variant> {
            Field("bit_rate", \.bitrate, .or("bitrate"))
            Field("content_type", \.contentType)
            Field("url", \.url)
        }
    }

    /// A poll.
    struct Question: Record {
        var id = "", options: [SentPollOption]?, endTime: SentMoment?, durationMinutes: Int?

        static let schema = Schema<Question> {
            Field("id", \.id)
            Field("options", \.options, .dropInvalid)
            Field("end_datetime", \.endTime)
            Field("duration_minutes", \.durationMinutes)
            Ignored("voting_status")
        }
    }

    /// Where something may not be shown.
    struct Withheld: Record {
        var countries: [String]?, scope: String?

        static let schema = Schema<Withheld> {
            Field("country_codes", \.countries, .dropInvalid)
            Field("scope", \.scope)
            Ignored("copyright")
        }
    }
}
