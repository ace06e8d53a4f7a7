import JSONText
import LenientCoding

extension TwitterV1 {
    /// The answer to a search; premium searches call the tweets `results`.
    struct Search: Record {
        var statuses: SentTweets?, metadata: SearchFacts?, next: String?

        static let schema = Schema<Search> {
            Field("statuses", \.statuses, .or("results"), .required, .dropInvalid)
            Field("search_metadata", \.metadata)
            Field("next", \.next)
            Ignored("requestParameters")
        }
    }

    /// What is told of a search.
    struct SearchFacts: Record {
        var query: String?, count: Int?, nextResults: String?

        static let schema = Schema<SearchFacts> {
            Field("query", \.query)
            Field("count", \.count)
            Field("next_results", \.nextResults)
            Ignored("completed_in", "max_id", "max_id_str", "refresh_url", "since_id", "since_id_str")
        }
    }

    /// A page of users: who follows whom, or who is in a list.
    struct UserPage: Record {
        var users: [SentUser]?

        static let schema = Schema<UserPage> {
            Field("users", \.users, .required, .dropInvalid)
            Ignored(
                "name", "next_cursor", "next_cursor_str", "previous_cursor", "previous_cursor_str", "size", "slug",
                "total_count")
        }
    }

    /// Whatever v1.1 answers: a tweet, a timeline, a search, or users; nil, and a failure, where it is none of them.
    static func read(_ node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.kind == .array { return readList(node, &reader) }
        if node["statuses"] != nil || node["results"] != nil {
            return Search.read(node, .none, &reader).map { .search($0.answer) }
        }
        if isUser(node) {
            return SentUser.read(node, .none, &reader).map { .user($0.user) }
        }
        if node["users"] != nil, !hasText(node) {
            return UserPage.read(node, .none, &reader)?.users.map { .users($0.map(\.user)) }
        }
        return SentTweet.read(node, .none, &reader).map { .tweet($0.tweet) }
    }

    private static func readList(_ node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.elements.contains(where: isUser), !node.elements.contains(where: hasText) {
            return [SentUser].read(node, .droppingInvalid, &reader).map { .users($0.map(\.user)) }
        }
        return SentTweets.read(node, .droppingInvalid, &reader).map { sent in
            .timeline(sent.tweets, nextMaxId: sent.tweets.last?.content.id.predecessor)
        }
    }

    private static func isUser(_ node: JSONNode) -> Bool { node["screen_name"] != nil && !hasText(node) }

    private static func hasText(_ node: JSONNode) -> Bool { node["text"] != nil || node["full_text"] != nil }
}

extension TwitterV1.Search {
    fileprivate var answer: SearchAnswer {
        var answer = SearchAnswer()
        answer.statuses = statuses?.tweets ?? []
        answer.metadata.query = metadata?.query.map { PercentText.decode($0) }
        answer.metadata.count = metadata?.count
        answer.metadata.nextMaxId = metadata?.nextResults.flatMap { PercentText.parameter("max_id", of: $0) }
        answer.metadata.next = next
        return answer
    }
}
