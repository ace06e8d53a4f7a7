import LenientCoding

extension TwitterV1 {
    /// A tweet.
    struct Status: Record {
        /// What is sent as the contract has it.
        var content = TweetContent()
        var id: TweetID?, idText: TweetID?
        var createdAt: Moment?
        var text: SentText?, fullText: SentText?, extendedTweet: ExtendedTweet?
        var displayTextRange: CodePointRange?
        var source: SentSource?
        var repliedStatus: TweetID?, repliedStatusText: TweetID?
        var repliedUser: TweetID?, repliedUserText: TweetID?
        var user: SentUser?
        var point: Point?, olderPoint: Point?, place: Locality?
        var quotedID: TweetID?, quotedIDText: TweetID?
        var quotedStatus: SentQuote?, retweetedStatus: SentRetweet?
        var entities: StatusEntities?, extendedEntities: StatusEntities?
        var withheldInCountries: Countries?

        static let schema = Schema<Status> {
            Field("created_at", \.createdAt)
            Field("id", \.id)
            Field("id_str", \.idText)
            Field("text", \.text)
            Field("full_text", \.fullText)
            Field("extended_tweet", \.extendedTweet)
            Field("display_text_range", \.displayTextRange)
            Field("lang", \.content.lang)
            Field("source", \.source)
            Field("in_reply_to_status_id", \.repliedStatus)
            Field("in_reply_to_status_id_str", \.repliedStatusText)
            Field("in_reply_to_user_id", \.repliedUser)
            Field("in_reply_to_user_id_str", \.repliedUserText)
            Field("in_reply_to_screen_name", \.content.inReplyToScreenName)
            Field("user", \.user)
            Field("coordinates", \.point)
            Field("geo", \.olderPoint)
            Field("place", \.place)
            Field("is_quote_status", \.content.isQuoteStatus)
            Field("quoted_status_id", \.quotedID)
            Field("quoted_status_id_str", \.quotedIDText)
            Field("quoted_status", \.quotedStatus)
            Field("retweeted_status", \.retweetedStatus)
            Field("retweet_count", \.content.retweetCount, .absent(-1))
            Field("favorite_count", \.content.favoriteCount, .absent(-1))
            Field("reply_count", \.content.replyCount, .absent(-1))
            Field("quote_count", \.content.quoteCount, .absent(-1))
            Field("favorited", \.content.favorited)
            Field("retweeted", \.content.retweeted)
            Field("possibly_sensitive", \.content.possiblySensitive)
            Field("filter_level", \.content.filterLevel)
            Field("entities", \.entities)
            Field("extended_entities", \.extendedEntities)
            Field("withheld_in_countries", \.withheldInCountries, .dropInvalid)
            Field("withheld_scope", \.content.withheldScope)
            Ignored(
                "annotations", "contributors", "current_user_retweet", "matching_rules", "metadata",
                "possibly_sensitive_appealable", "possibly_sensitive_editable", "quoted_status_permalink", "scopes",
                "supplemental_language", "timestamp_ms", "truncated", "withheld_copyright")
        }
    }

    /// What a tweet of more than 140 characters has in a compatible answer.
    struct ExtendedTweet: Record {
        var fullText: SentText?, displayTextRange: CodePointRange?
        var entities: StatusEntities?, extendedEntities: StatusEntities?

        static let schema = Schema<ExtendedTweet> {
            Field("full_text", \.fullText)
            Field("display_text_range", \.displayTextRange)
            Field("entities", \.entities)
            Field("extended_entities", \.extendedEntities)
        }
    }

    /// A GeoJSON point, or the older form of one with the latitude first.
    struct Point: Record {
        var coordinates: [Double] = []

        static let schema = Schema<Point> {
            Field("coordinates", \.coordinates, .atMost(2))
            Ignored("type")
        }
    }

    /// A place.
    struct Locality: Record {
        var id: TweetID?
        var name: String?, fullName: String?, placeType: String?, country: String?, countryCode: String?
        var boundingBox: JSONValue?

        static let schema = Schema<Locality> {
            Field("id", \.id)
            Field("name", \.name)
            Field("full_name", \.fullName)
            Field("place_type", \.placeType)
            Field("country", \.country)
            Field("country_code", \.countryCode)
            Field("bounding_box", \.boundingBox)
            Ignored("attributes", "contained_within", "centroid", "geometry", "polylines", "url", "vendor_info")
        }
    }
}
