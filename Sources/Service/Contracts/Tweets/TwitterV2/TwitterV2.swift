import API
import HTTPCore
import JSONText
import Records

extension TweetDialect {
    /// Twitter v2: `/2/tweets/{id}`, with a bearer token.
    public static let twitterV2 = TweetDialect(
        name: "twitterV2",
        keyLocation: .bearer,
        hasTwitterNames: true,
        lookup: { query, _ in
            guard case .timeline(let name, let count, let maxId) = query else { return nil }
            return TweetLookup(target: "/2/users/by/username/\(PercentCoding.encode(name))") { answer in
                // The id goes into a path, so it must be what X documents: a number.
                answer["data"]?["id"]?.string.flatMap { isNumericID($0) ? $0 : nil }
            } query: {
                .timeline(screenName: $0, count: count, maxId: maxId)
            }
        },
        target: { query, vocabulary in
            let fields = fieldLists[vocabulary]
            switch query {
            case .tweet(let id): return "/2/tweets/\(PercentCoding.encode(id))?\(fields)"
            // The lookup has replaced the name by the id.
            case .timeline(let userID, let count, let maxId):
                return "/2/users/\(PercentCoding.encode(userID))/tweets?\(fields)" + page(count, minimum: 5, maxId)
            case .search(let text, let count, let maxId):
                return "/2/tweets/search/recent?query=\(PercentCoding.encode(text))&\(fields)"
                    + page(count, minimum: 10, maxId)
            }
        },
        vocabularies: fieldLists.count,
        author: { "data\($0.pattern.isEmpty ? "" : "[]").author_id" },
        read: { TwitterV2.read($0, $1, &$2) },
        refusal: { TwitterV2.refusal($0) })

    /// The expansions and fields to request, since v2 answers only id and text by default.
    ///
    /// First with "tweet", then with "post", as X says since version 2.167 of its specification. There, an expansion also
    /// requests the member that it expands.
    private static let fieldLists = [
        fields(
            of: "tweet",
            expansions: "referenced_tweets.id,referenced_tweets.id.attachments.media_keys,"
                + "referenced_tweets.id.author_id",
            values: "author_id,in_reply_to_user_id,note_tweet,referenced_tweets"),
        fields(of: "post", expansions: "referenced_posts", values: "note_post"),
    ]

    private static func fields(of kind: String, expansions: String, values: String) -> String {
        "expansions=author_id,attachments.media_keys,attachments.poll_ids,geo.place_id,in_reply_to_user_id,"
            + "entities.mentions.username,\(expansions)"
            + "&\(kind).fields=attachments,created_at,display_text_range,entities,geo,lang,possibly_sensitive,"
            + "public_metrics,source,withheld,\(values)"
            + "&user.fields=created_at,description,entities,location,profile_banner_url,profile_image_url,"
            + "protected,public_metrics,url,verified,withheld"
            + "&media.fields=alt_text,duration_ms,height,preview_image_url,type,url,variants,width"
            + "&place.fields=country,country_code,full_name,geo,name,place_type"
            + "&poll.fields=duration_minutes,end_datetime,options"
    }

    /// v2 accepts `minimum` to 100 tweets per page; `until_id` is exclusive, `maxId` inclusive.
    ///
    /// All ids are below one of 20 digits, which v2 does not accept.
    private static func page(_ count: Int?, minimum: Int, _ maxId: String?) -> String {
        (count.map { "&max_results=\(max(minimum, min(100, $0)))" } ?? "")
            + (maxId?.successor.flatMap { isNumericID($0) ? "&until_id=\($0)" : nil } ?? "")
    }
}

/// The documents of Twitter v2: `data` holds tweets, which refer to the objects in `includes`.
enum TwitterV2 {
    /// Reads a tweet, a list of tweets or users; nil, with the failures recorded, for any other document.
    static func read(_ node: JSONNode, _ query: TweetQuery?, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.kind == .array && node.count > 0 || isArchived(node) {
            return readArchive(node, Envelope(), query, &reader)
        }
        guard var envelope = Envelope.read(node, .none, &reader) else { return nil }
        if let errors = node["errors"] {
            reader.at("errors") { $0.atElements(of: errors) { _, _, reader in reader.note(.dropped, .refused) } }
        }
        guard let data = node["data"], !data.isNull else {
            // An empty list has no data.
            if envelope.resultCount == 0 { return list([], envelope, query) }
            return reader.demand(nil, "data")
        }
        // Without `includes`, the objects may stand beside their ids.
        if node["includes"]?.count ?? 0 == 0, data.kind == .array || !isUser(data) {
            return reader.at("data") { readArchive(data, envelope, query, &$0) }
        }
        var join = reader.at("includes") { Join(&envelope.includes, &$0) }
        return reader.at("data") { reader in
            if data.kind == .array {
                return readList(data, envelope, query, &reader) { readTweet($0, into: &$1, &join, &$2) }
            }
            if isUser(data) { return WireUser.model(of: data, &reader).map { .user($0) } }
            var tweet = Tweet()
            return readTweet(data, into: &tweet, &join, &reader) ? .tweet(tweet) : nil
        }
    }

    static func readList(
        _ data: JSONNode, _ envelope: Envelope, _ query: TweetQuery?, _ reader: inout RecordReader,
        _ readTweet: (JSONNode, inout Tweet, inout RecordReader) -> Bool
    ) -> TweetAnswer? {
        if data.elements.contains(where: isUser), !data.elements.contains(where: { $0["text"] != nil }) {
            return UsableList<WireUser>.read(data, .droppingInvalid, &reader).map { .users($0.models) }
        }
        let tweets = usable(of: data, .droppingInvalid, &reader) { rules, reader in
            reader.fillElements(of: data, rules, expected: "a tweet", blank: Tweet.init, readTweet)
        }
        return tweets.map { list($0, envelope, query) }
    }

    static func readTweet(
        _ node: JSONNode, into tweet: inout Tweet, _ join: inout Join, _ reader: inout RecordReader
    ) -> Bool {
        var wire = WireTweet()
        guard reader.fill(&wire, from: node) else { return false }
        return join.convert(&wire, to: &tweet, &reader) || reader.fail(.invalid) ?? false
    }

    private static func list(_ tweets: [Tweet], _ envelope: Envelope, _ query: TweetQuery?) -> TweetAnswer {
        let oldest = envelope.oldestID ?? tweets.last?.content.id
        let next = envelope.nextToken.flatMap { _ in oldest?.predecessor }
        guard case .search = query else { return .timeline(tweets, nextMaxId: next) }
        var answer = SearchAnswer(tweets, of: query, nextMaxId: next)
        answer.metadata.count = answer.metadata.count ?? envelope.resultCount
        return .search(answer)
    }

    static func isUser(_ node: JSONNode) -> Bool { node["username"] != nil && node["text"] == nil }

    struct Envelope: Record {
        var includes: Includes?, resultCount: Int?, oldestID: String?, nextToken: String?

        static let schema = Schema<Envelope> {
            Field("includes", \.includes)
            Field("meta.result_count", \.resultCount)
            Field("meta.oldest_id", \.oldestID, .id)
            Field("meta.next_token", \.nextToken)
            Ignored("newest_id", "previous_token", "sent", "summary", in: "meta")
            Ignored("__twarc", "data", "errors", "matching_rules")
        }
    }

    /// Returns the error that a document without data is: the first of `errors`, or the document itself.
    static func refusal(_ node: JSONNode) -> TweetDialect.Refusal? {
        guard node.kind == .object, node["data"]?.isNull != false, node["meta"] == nil, !isArchived(node) else {
            return nil
        }
        let error = node["errors"]?.elements.first { $0.kind == .object } ?? node
        guard let message = ["detail", "message", "title", "error"].lazy.compactMap({ error[$0]?.string }).first
        else { return nil }
        let code = error["code"]?.int64.map { Int(truncatingIfNeeded: $0) }
        var status = status(of: error) ?? status(of: node) ?? code.flatMap { TwitterV1.statuses[$0] }
        // What the client has sent is invalid, such as the syntax of a search, unless it is the vocabulary.
        let names = parameters(in: error)
        if status == 400, !names.isEmpty, !names.contains(where: { $0 == "expansions" || $0.hasSuffix(".fields") }) {
            status = 422
        }
        return TweetDialect.Refusal(message: message, code: code, status: status)
    }

    /// Returns the names of the parameters that an error blames.
    private static func parameters(in error: JSONNode) -> [String] {
        let listed = error["parameters"].map { $0.members.compactMap { $0.key.string } } ?? []
        return listed + [error["parameter"]?.string].compactMap(\.self)
    }

    /// Returns the HTTP status that a problem means: by its title, its type, or its member `status`.
    private static func status(of problem: JSONNode) -> Int? {
        // This one has no type of its own.
        if problem["title"]?.string == "CreditsDepleted" { return 402 }
        let type = problem["type"]?.string?.split(separator: "/").last.flatMap { problemStatuses[String($0)] }
        return type ?? problem["status"]?.int64.flatMap { (400...599).contains($0) ? Int($0) : nil }
    }

    /// The HTTP status for each problem type, by X's documentation.
    private static let problemStatuses = [
        "invalid-request": 400, "resource-not-found": 404, "resource-unavailable": 404,
        "not-authorized-for-resource": 403, "not-authorized-for-field": 403, "disallowed-resource": 403,
        "client-forbidden": 403, "usage-capped": 429, "rate-limit-exceeded": 429, "internal-error": 500,
        "field-hydration-failure": 500,
    ]
}
