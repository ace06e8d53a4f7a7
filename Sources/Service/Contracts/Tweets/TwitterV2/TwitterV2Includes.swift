import API
import JSONText
import Records

extension TwitterV2 {
    /// The objects that tweets refer to by their ids.
    struct Includes: Record {
        var users: ConvertedList<Twitter.WireUser>?, tweets: [WireTweet]?, media: [WireMedia]?,
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
            object(post, "author", &reader) { Twitter.WireUser.model(of: $0, &$1) }
            + object(post, "in_reply_to_user", &reader) { Twitter.WireUser.model(of: $0, &$1) }
        users = ConvertedList(models: (users?.models ?? []) + authors)
        let attachments = post["attachments"], geo = post["geo"]
        reader.at("attachments") { reader in
            let found = object(attachments, "media", &reader) { node, reader in
                [TwitterV2.WireMedia].read(node, .droppingInvalid, &reader)
            }
            media = (media ?? []) + found.joined()
            polls = (polls ?? []) + object(attachments, "poll", &reader) { Identified<WirePoll>.read($0, .none, &$1) }
        }
        if geo?["full_name"] != nil {
            places = (places ?? []) + object(post, "geo", &reader) { Identified<WirePlace>.read($0, .none, &$1) }
        }
    }
}
