import API
import HTTPCore
import JSONText
import Records

extension TweetDialect {
    /// Twitter v1.1: `/1.1/statuses/show.json`, with a bearer token.
    public static let twitter = TweetDialect(
        name: "twitter",
        keyLocation: .bearer,
        hasTwitterNames: true,
        target: { query, _ in
            let common = "tweet_mode=extended&include_ext_alt_text=true"
            func page(_ count: Int?, _ maxId: String?) -> String {
                (count.map { "&count=\($0)" } ?? "") + (maxId.map { "&max_id=\(PercentCoding.encode($0))" } ?? "")
            }
            switch query {
            case .tweet(let id): return "/1.1/statuses/show.json?id=\(PercentCoding.encode(id))&\(common)"
            case .timeline(let name, let count, let maxId):
                return "/1.1/statuses/user_timeline.json?screen_name=\(PercentCoding.encode(name))&\(common)"
                    + page(count, maxId)
            case .search(let text, let count, let maxId):
                // A timeline takes up to 200, a search up to 100.
                return "/1.1/search/tweets.json?q=\(PercentCoding.encode(text))&\(common)"
                    + page(count.map { min(100, $0) }, maxId)
            }
        },
        author: { $0.pattern + "user" },
        read: { node, _, reader in TwitterV1.read(node, &reader) },
        refusal: { TwitterV1.refusal($0) })
}

/// The documents of Twitter v1.1: compatible and extended tweets, timelines, searches and users.
///
/// The tables list every documented key; those without a place in the contract are ignored.
enum TwitterV1 {
    /// Reads a tweet, a timeline, a search or users; nil, with the failures recorded, for any other document.
    static func read(_ node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.kind == .array { return readList(node, &reader) }
        if node["statuses"] != nil || node["results"] != nil {
            return Search.read(node, .none, &reader).map { .search($0.answer) }
        }
        if isUser(node) { return WireUser.model(of: node, &reader).map { .user($0) } }
        if node["users"] != nil, !hasText(node) {
            return UserPage.read(node, .none, &reader)?.users.map { .users($0.models) }
        }
        if isArchived(node) { return ArchivedTweet.model(of: node, &reader).map { .tweet($0) } }
        return WireTweet.model(of: node, &reader).map { .tweet($0) }
    }

    private static func readList(_ node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.elements.contains(where: isUser), !node.elements.contains(where: hasText) {
            return UsableList<WireUser>.read(node, .droppingInvalid, &reader).map { .users($0.models) }
        }
        return TweetList.read(node, .droppingInvalid, &reader).map { list in
            .timeline(list.tweets, nextMaxId: list.tweets.last?.content.id.predecessor)
        }
    }

    /// Whether a node is a tweet of an archive, which has few members: a look at those of all tweets would cost timelines.
    private static func isArchived(_ node: JSONNode) -> Bool {
        node.count < 8 && node["tweet"]?.kind == .object && !hasText(node)
    }

    /// A list of tweets, each as the API sends it or as the archive has it; one must be usable, if the list has any.
    private struct TweetList: WireValue {
        let tweets: [Tweet]

        static var expectation: String { [WireTweet].expectation }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> TweetList? {
            usable(of: node, rules, &reader) { rules, reader in
                reader.fillElements(of: node, rules, expected: WireTweet.expectation, blank: Tweet.init) {
                    isArchived($0) ? ArchivedTweet.read($0, into: &$1, &$2) : WireTweet.read($0, into: &$1, &$2)
                }
            }.map(TweetList.init)
        }
    }

    /// A tweet in the archive that Twitter gives its users: `{"tweet": …}`.
    private struct ArchivedTweet: WireRecord {
        var tweet: Tweet?

        static let schema = Schema<ArchivedTweet> { Field("tweet", \.tweet, from: WireTweet.self, .required) }

        mutating func convert(to model: inout Tweet, _ reader: inout RecordReader) -> Bool {
            guard let tweet = tweet.take() else { return false }
            model = tweet
            return true
        }
    }

    private static func isUser(_ node: JSONNode) -> Bool { node["screen_name"] != nil && !hasText(node) }

    private static func hasText(_ node: JSONNode) -> Bool { node["text"] != nil || node["full_text"] != nil }

    /// The answer to a search; premium searches have `results` in place of `statuses`.
    private struct Search: Record {
        private var statuses: TweetList?, metadata = SearchMetadata(), nextResults: String?

        static let schema = Schema<Search> {
            Field("statuses", \.statuses, .or("results"), .required, .dropInvalid)
            Field("search_metadata.query", \.metadata.query)
            Field("search_metadata.count", \.metadata.count)
            Field("search_metadata.next_results", \.nextResults)
            Ignored(
                "completed_in", "max_id", "max_id_str", "refresh_url", "since_id", "since_id_str",
                in: "search_metadata")
            Field("next", \.metadata.next)
            Ignored("requestParameters")
        }

        var answer: SearchAnswer {
            var answer = SearchAnswer()
            (answer.statuses, answer.metadata) = (statuses?.tweets ?? [], metadata)
            answer.metadata.query = metadata.query.map { PercentCoding.decodeLeniently($0) }
            answer.metadata.nextMaxId = nextResults.flatMap { NextPage.parameter("max_id", of: $0) }
            return answer
        }
    }

    /// A page of users, such as followers or the members of a list.
    private struct UserPage: Record {
        var users: UsableList<WireUser>?

        static let schema = Schema<UserPage> {
            Field("users", \.users, .required, .dropInvalid)
            Ignored(
                "name", "next_cursor", "next_cursor_str", "previous_cursor", "previous_cursor_str", "size", "slug",
                "total_count")
        }
    }

    /// Returns the error that a document is; nil for a document that has data too.
    ///
    /// The forms are `{"errors":[{"code","message"}]}`, `{"errors":"text"}`, `{"error","request"}` and `{"error"}`.
    static func refusal(_ node: JSONNode) -> TweetDialect.Refusal? {
        guard node.kind == .object, !["id", "id_str", "statuses"].contains(where: { node[$0] != nil }) else {
            return nil
        }
        if let message = (node["errors"] ?? node["error"])?.string {
            // With status 401, as for wrong credentials, though these are good: the user's tweets are protected.
            let isProtected = message.hasPrefix("Not authorized")
            return TweetDialect.Refusal(message: message, code: nil, status: isProtected ? 403 : nil)
        }
        let listed = node["errors"]?.elements.first { $0.kind == .object }
        guard let error = listed ?? node["error"], error.kind == .object else { return nil }
        let code = (error["code"]?.int64 ?? error["code"]?.string.flatMap { Int64($0) }).map(Int.init)
        return TweetDialect.Refusal(
            message: error["message"]?.string ?? "", code: code, status: code.flatMap { statuses[$0] })
    }

    /// The HTTP status for each error code, by Twitter's documentation; 502 for those about the account of the
    /// credentials, which no client can mend, and 422 for the syntax of a search.
    static let statuses = [
        32: 401, 34: 404, 50: 404, 63: 403, 64: 502, 88: 429, 89: 401, 130: 503, 131: 502, 135: 401, 144: 404, 179: 403,
        185: 403, 195: 422, 215: 401, 326: 502,
    ]
}
