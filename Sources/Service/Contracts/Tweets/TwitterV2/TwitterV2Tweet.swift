import API
import JSONText
import Records

extension TwitterV2 {
    /// A tweet, which refers to its author, media, poll, place and other tweets by their ids.
    ///
    /// X calls tweets posts since version 2.167 of its specification; each key is read in both spellings.
    struct WireTweet: Record {
        var content = TweetContent()
        var id = WireID.text(""), text = "", note: Note?
        var createdAt: WireDate?, author: String?, source: WireSource?, references: [Reference]?
        var attachments: Attachments?, geo: Geo?, metrics: Metrics?, entities: WireEntities?,
            withheld: Twitter.Withheld?
        var displayTextRange: CodePointRange?

        static let schema = Schema<WireTweet> {
            Field("id", \.id)
            Field("text", \.text)
            Field("note_tweet", \.note, .or("note_post"))
            Field("display_text_range", \.displayTextRange)
            Field("created_at", \.createdAt)
            Field("author_id", \.author, .id)
            Field("lang", \.content.lang)
            Field("source", \.source, .absent(""))
            Field("in_reply_to_user_id", \.content.inReplyToUserId, .id, .absent(0), .absent("0"))
            Field("referenced_tweets", \.references, .or("referenced_posts"), .dropInvalid)
            Field("attachments", \.attachments)
            Field("geo", \.geo)
            Field("public_metrics", \.metrics)
            Field("entities", \.entities)
            Field("possibly_sensitive", \.content.possiblySensitive)
            Field("withheld", \.withheld)
            Ignored(
                "__twarc", "article", "article_title", "author", "card_uri", "community_id", "context_annotations",
                "conversation_id",
                "edit_controls", "edit_history_post_ids", "edit_history_tweet_ids",
                "in_reply_to_user", "matched_media_notes", "matching_rules", "media_metadata", "non_public_metrics",
                "note_request_suggestions", "organic_metrics",
                "paid_partnership", "promoted_metrics", "reply_settings", "scopes", "suggested_source_links",
                "suggested_source_links_with_counts", "type", "username")
        }

        /// Returns the id of the referenced tweet of this type: `quoted`, `retweeted` or `replied_to`.
        func reference(_ type: String) -> String? { references?.first { $0.type == type }?.id }
    }

    /// The complete text of a tweet that is longer than 280 characters.
    struct Note: Record {
        var text = "", entities: WireEntities?

        static let schema = Schema<Note> {
            Field("text", \.text)
            Field("entities", \.entities)
        }
    }

    /// A reference to another tweet; archives put the tweet itself here, which ``Includes`` reads.
    struct Reference: WireValue {
        let type: String, id: String

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Reference? {
            guard node.kind == .object else { return reader.fail(.mistyped) }
            let type = node["type"].flatMap { node in reader.at("type") { String.read(node, .none, &$0) } }
            let id = node["id"].flatMap { node in reader.at("id") { String.read(node, .ofID, &$0) } }
            guard let type, let id else { return reader.fail(.invalid) }
            return Reference(type: type, id: id)
        }
    }

    struct Attachments: Record {
        var media: [String]?, polls: [String]?

        static let schema = Schema<Attachments> {
            Field("media_keys", \.media, .id, .dropInvalid, .entityLimit)
            Field("poll_ids", \.polls, .id, .dropInvalid)
            Ignored("media", "media_source_tweet_id", "poll")
        }
    }

    /// The location of a tweet: a point, or a reference to a place.
    struct Geo: Record {
        var place: String?, point: WirePoint?

        static let schema = Schema<Geo> {
            Field("place_id", \.place, .id)
            Field("coordinates", \.point)
            Ignored("contained_within", "country", "country_code", "full_name", "geo", "id", "name", "place_type")
        }
    }

    struct Metrics: Record {
        var retweets: Int?, likes: Int?, replies: Int?, quotes: Int?, bookmarks: Int?, impressions: Int?

        static let schema = Schema<Metrics>(.absent(-1)) {
            Field("retweet_count", \.retweets, .or("repost_count"))
            Field("like_count", \.likes)
            Field("reply_count", \.replies)
            Field("quote_count", \.quotes)
            Field("bookmark_count", \.bookmarks)
            Field("impression_count", \.impressions)
        }
    }

    struct WireEntities: Record {
        var lists = Twitter.EntityLists()

        static let schema = Schema<WireEntities> {
            Field("hashtags", \.lists.hashtags, .dropInvalid, .entityLimit)
            Field("cashtags", \.lists.symbols, .dropInvalid, .entityLimit)
            Field("urls", \.lists.urls, .dropInvalid, .entityLimit)
            Field("mentions", \.lists.mentions, .dropInvalid, .entityLimit)
            Ignored("annotations")
        }
    }
}
