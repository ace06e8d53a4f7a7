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
        var media: [String]?, polls: [String]?, place: String?, point: WirePoint?, entities: WireEntities?
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
            Field("attachments.media_keys", \.media, .id, .dropInvalid, .entityLimit)
            Field("attachments.poll_ids", \.polls, .id, .dropInvalid)
            Ignored("media", "media_source_tweet_id", "poll", in: "attachments")
            // A point, or a reference to a place.
            Field("geo.place_id", \.place, .id)
            Field("geo.coordinates", \.point)
            Ignored(
                "contained_within", "country", "country_code", "full_name", "geo", "id", "name", "place_type", in: "geo"
            )
            Field("public_metrics.retweet_count", \.content.retweetCount, .or("repost_count"), .absent(-1))
            Field("public_metrics.like_count", \.content.favoriteCount, .absent(-1))
            Field("public_metrics.reply_count", \.content.replyCount, .absent(-1))
            Field("public_metrics.quote_count", \.content.quoteCount, .absent(-1))
            Field("public_metrics.bookmark_count", \.content.bookmarkCount, .absent(-1))
            Field("public_metrics.impression_count", \.content.impressionCount, .absent(-1))
            Field("entities", \.entities)
            Field("possibly_sensitive", \.content.possiblySensitive)
            Field("withheld.country_codes", \.content.withheldInCountries, .dropInvalid)
            Field("withheld.scope", \.content.withheldScope)
            Ignored("copyright", in: "withheld")
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
}

extension TwitterV2 {
    /// The objects that tweets refer to by their ids.
    struct Includes: Record {
        var users: ConvertedList<WireUser>?, tweets: [WireTweet]?, media: [Identified<WireFile>]?,
            places: [Identified<WirePlace>]?,
            polls: [Identified<WirePoll>]?

        static let schema = Schema<Includes> {
            Field("users", \.users, .dropInvalid)
            Field("tweets", \.tweets, .or("posts"), .dropInvalid)
            Field("media", \.media, .dropInvalid)
            Field("places", \.places, .dropInvalid)
            Field("polls", \.polls, .dropInvalid)
            Ignored("topics")
        }
    }
}

/// Posts of archives, which stand alone: one or a list of them, with or without `data` but without `includes`, each as `{"tweet": …}` or as it is, with the
/// objects that it refers to beside their ids (`flatten` of twarc).
extension TwitterV2 {
    /// Whether a document is such a post.
    static func isArchived(_ node: JSONNode) -> Bool {
        node["data"] == nil && (node["tweet"]?.kind == .object || node["id"] != nil && node["text"] != nil)
    }

    /// Reads a post or a list of posts; nil, with the failures recorded, for any other document.
    static func readArchive(
        _ node: JSONNode, _ envelope: Envelope, _ query: TweetQuery?, _ reader: inout RecordReader
    ) -> TweetAnswer? {
        var budget = Join.wholeBudget
        if node.kind == .array {
            return readList(node, envelope, query, &reader) { readArchived($0, into: &$1, &budget, &$2) }
        }
        var tweet = Tweet()
        return readArchived(node, into: &tweet, &budget, &reader) ? .tweet(tweet) : nil
    }

    private static func readArchived(
        _ node: JSONNode, into tweet: inout Tweet, _ budget: inout Int, _ reader: inout RecordReader
    ) -> Bool {
        if let post = node["tweet"], post.kind == .object {
            return reader.at("tweet") { readAlone(post, into: &tweet, &budget, &$0) }
        }
        return readAlone(node, into: &tweet, &budget, &reader)
    }

    private static func readAlone(
        _ node: JSONNode, into tweet: inout Tweet, _ budget: inout Int, _ reader: inout RecordReader
    ) -> Bool {
        var includes: Includes? = Includes(besideIDsIn: node, &reader)
        var join = Join(&includes, budget: budget, &reader)
        defer { budget = join.budget }
        return readTweet(node, into: &tweet, &join, &reader)
    }
}

extension TwitterV2.Includes {
    /// Reads the objects that stand beside the ids in a post and in the posts that it refers to.
    fileprivate init(besideIDsIn post: JSONNode, _ reader: inout RecordReader) {
        self.init()
        take(post, &reader)
        guard let references = post["referenced_tweets"] else { return }
        var posts: [TwitterV2.WireTweet] = []
        reader.at("referenced_tweets") { reader in
            reader.atElements(of: references) { _, reference, reader in
                // A post that the archive lacks has its id and type alone.
                guard reference["text"] != nil else { return }
                take(reference, &reader)
                if let post = reader.part({ TwitterV2.WireTweet.read(reference, .none, &$0) }) { posts.append(post) }
            }
        }
        tweets = posts
    }

    private mutating func take(_ post: JSONNode, _ reader: inout RecordReader) {
        /// Returns the object in a member; nil for an empty one, in place of which the archive has none.
        func object<Value>(
            _ owner: JSONNode?, _ name: StaticString, _ reader: inout RecordReader,
            _ read: (JSONNode, inout RecordReader) -> Value?
        ) -> [Value] {
            guard let node = owner?["\(name)"], node.count > 0 else { return [] }
            return reader.part(name) { read(node, &$0) }.map { [$0] } ?? []
        }
        let authors =
            object(post, "author", &reader) { WireUser.model(of: $0, &$1) }
            + object(post, "in_reply_to_user", &reader) { WireUser.model(of: $0, &$1) }
        users = ConvertedList(models: (users?.models ?? []) + authors)
        let attachments = post["attachments"], geo = post["geo"]
        reader.at("attachments") { reader in
            let found = object(attachments, "media", &reader) { node, reader in
                [Identified<WireFile>].read(node, .droppingInvalid, &reader)
            }
            media = (media ?? []) + found.joined()
            polls = (polls ?? []) + object(attachments, "poll", &reader) { Identified<WirePoll>.read($0, .none, &$1) }
        }
        if geo?["full_name"] != nil {
            places = (places ?? []) + object(post, "geo", &reader) { Identified<WirePlace>.read($0, .none, &$1) }
        }
    }
}
