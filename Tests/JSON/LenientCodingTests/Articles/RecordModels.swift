import LenientCoding

/// The articles' models as records with tables.
enum RecordModels {
    struct Weather: Record, Equatable {
        var latitude = 0.0, longitude = 0.0, currently = CurrentWeather(), hourly: Hours?
        static let schema = Schema<Weather> {
            Field(\.latitude)
            Field(\.longitude)
            Field(\.currently)
            Field(\.hourly)
        }
    }

    struct CurrentWeather: Record, Equatable {
        var summary = "", icon = "", precipProbability = 0.0, temperature = 0.0, humidity = 0.0, windspeed = 0.0
        var uvIndex: Int?
        static let schema = Schema<CurrentWeather> {
            Field(\.summary)
            Field(\.icon)
            Field(\.precipProbability)
            Field(\.temperature)
            Field(\.humidity)
            Field("windSpeed", \.windspeed)
            Field(\.uvIndex)
        }
    }

    struct Hours: Record, Equatable {
        var data: [Hour] = []
        static let schema = Schema<Hours> { Field(\.data, .dropInvalid) }
    }

    struct Hour: Record, Equatable {
        var time = UnixSeconds(0), windSpeed = 0, temperature = 0.0, precipitation = 0.0
        static let schema = Schema<Hour> {
            Field(\.time)
            Field(\.windSpeed)
            Field(\.temperature)
            Field("precipIntensity", \.precipitation)
        }
    }

    typealias Created = FormattedDate<TwitterModels.CreationDate>

    struct Tweet: Record {
        var createdAt: Created?, id = 0, fullText = "", displayTextRange: [Int] = [], hashtags: Entities?
        var user: User?, quotedStatus: QuotedTweet?, isQuoteStatus = false, possiblySensitive = false
        static let schema = Schema<Tweet> {
            Field(\.createdAt, .or("created_at"))
            Field(\.id)
            Field(\.fullText, .or("full_text"))
            Field(\.displayTextRange, .or("display_text_range"))
            Field("entities", \.hashtags)
            Field(\.user)
            Field(\.quotedStatus, .or("quoted_status"))
            Field(\.isQuoteStatus, .or("is_quote_status"))
            Field(\.possiblySensitive, .or("possibly_sensitive"), .defaulted)
        }
    }

    struct QuotedTweet: Record {
        var createdAt: Created?, fullText = "", user: User?, possiblySensitive = false
        static let schema = Schema<QuotedTweet> {
            Field(\.createdAt, .or("created_at"))
            Field(\.fullText, .or("full_text"))
            Field(\.user)
            Field(\.possiblySensitive, .or("possibly_sensitive"), .defaulted)
        }
    }

    struct Entities: Record {
        var hashtags: [Hashtag] = []
        static let schema = Schema<Entities> { Field(\.hashtags, .dropInvalid) }
    }

    struct Hashtag: Record {
        var text = "", indices: [Int] = []
        static let schema = Schema<Hashtag>(.exact) {
            Field(\.text)
            Field(\.indices)
        }
    }

    struct User: Record {
        var id = 0, name = "", screenName = "", profileBackgroundColor: HexColor?, profileLinkColor: HexColor?
        static let schema = Schema<User> {
            Field(\.id)
            Field(\.name)
            Field(\.screenName, .or("screen_name"))
            Field(\.profileBackgroundColor, .or("profile_background_color"))
            Field(\.profileLinkColor, .or("profile_link_color"))
        }
    }
}

extension RecordModels.Tweet: TweetProtocol {
    var quotedTweet: (any TweetProtocol)? { quotedStatus }
}

extension RecordModels.QuotedTweet: TweetProtocol {
    var quotedTweet: (any TweetProtocol)? { nil }
}
