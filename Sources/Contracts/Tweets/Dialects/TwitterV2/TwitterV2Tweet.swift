import LenientCoding

extension TwitterV2 {
    /// A tweet, which names its author, its pictures and the tweets that it speaks of.
    struct Status: Record {
        var id = TweetID(text: ""), text = "", note: Note?
        var createdAt: SentMoment?, author: String?, lang: String?, source: String?
        var repliedUser: String?, references: [Reference]?
        var attachments: Attached?, geo: Geo?, metrics: Metrics?, entities: StatusEntities?
        var possiblySensitive: Bool?, withheld: Withheld?

        static let schema = Schema<Status> {
            Field("id", \.id)
            Field("text", \.text)
            Field("note_tweet", \.note)
            Field("created_at", \.createdAt)
            Field("author_id", \.author)
            Field("lang", \.lang)
            Field("source", \.source, .absent(""))
            Field("in_reply_to_user_id", \.repliedUser)
            Field("referenced_tweets", \.references, .dropInvalid)
            Field("attachments", \.attachments)
            Field("geo", \.geo)
            Field("public_metrics", \.metrics)
            Field("entities", \.entities)
            Field("possibly_sensitive", \.possiblySensitive)
            Field("withheld", \.withheld)
            Ignored(
                "article", "card_uri", "community_id", "context_annotations", "conversation_id", "display_text_range",
                "edit_controls", "edit_history_tweet_ids", "media_metadata", "non_public_metrics", "organic_metrics",
                "promoted_metrics", "reply_settings", "scopes", "username")
        }
    }

    /// The whole text of a tweet that is longer than others.
    struct Note: Record {
        var text = "", entities: StatusEntities?

        static let schema = Schema<Note> {
            Field("text", \.text)
            Field("entities", \.entities)
        }
    }

    /// A tweet that is spoken of, and how: `quoted`, `retweeted` or `replied_to`.
    struct Reference: Record {
        var type = "", id = ""

        static let schema = Schema<Reference> {
            Field("type", \.type)
            Field("id", \.id)
        }
    }

    /// What is attached, by its keys.
    struct Attached: Record {
        var media: [String]?, polls: [String]?

        static let schema = Schema<Attached> {
            Field("media_keys", \.media, .dropInvalid, .atMost(500))
            Field("poll_ids", \.polls, .dropInvalid)
            Ignored("media_source_tweet_id")
        }
    }

    /// Where it was sent from: a GeoJSON point, or a place by its id.
    struct Geo: Record {
        var place: String?, point: TwitterV1.Point?

        static let schema = Schema<Geo> {
            Field("place_id", \.place)
            Field("coordinates", \.point)
        }
    }

    /// What is counted of a tweet.
    struct Metrics: Record {
        var retweets: Int?, likes: Int?, replies: Int?, quotes: Int?

        static let schema = Schema<Metrics>(.absent(-1)) {
            Field("retweet_count", \.retweets)
            Field("like_count", \.likes)
            Field("reply_count", \.replies)
            Field("quote_count", \.quotes)
            Ignored("bookmark_count", "impression_count")
        }
    }

    /// What stands in a text.
    struct StatusEntities: Record {
        var hashtags: [Word]?, symbols: [Word]?, urls: [TextLink]?, mentions: [Mention]?

        private static let most = 500

        static let schema = Schema<StatusEntities> {
            Field("hashtags", \.hashtags, .dropInvalid, .atMost(most))
            Field("cashtags", \.symbols, .dropInvalid, .atMost(most))
            Field("urls", \.urls, .dropInvalid, .atMost(most))
            Field("mentions", \.mentions, .dropInvalid, .atMost(most))
            Ignored("annotations")
        }
    }

    /// A hashtag or a symbol.
    struct Word: Record {
        var tag = "", start: Int?, end: Int?

        static let schema = Schema<Word> {
            Field("tag", \.tag)
            Field("start", \.start)
            Field("end", \.end)
        }
    }

    /// A link in a text; those to pictures name them.
    struct TextLink: Record {
        var url: String?, expandedUrl: String?, displayUrl: String?, mediaKey: String?, start: Int?, end: Int?

        static let schema = Schema<TextLink> {
            Field("url", \.url)
            Field("expanded_url", \.expandedUrl)
            Field("display_url", \.displayUrl)
            Field("media_key", \.mediaKey)
            Field("start", \.start)
            Field("end", \.end)
            Ignored("description", "images", "status", "title", "unwound_url")
        }
    }

    /// A user in a text.
    struct Mention: Record {
        var id: String?, username: String?, start: Int?, end: Int?

        static let schema = Schema<Mention> {
            Field("id", \.id)
            Field("username", \.username)
            Field("start", \.start)
            Field("end", \.end)
        }
    }
}
