import JSONText
import LenientCoding

extension TwitterV1 {
    /// A tweet as an element: one that is none fails, and is removed where that is asked for.
    struct SentTweet: FieldValue {
        let tweet: Tweet

        static var expectation: String { "a tweet" }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentTweet? {
            guard let status = Status.read(node, rules, &reader) else { return nil }
            return status.tweet(&reader).map(SentTweet.init) ?? reader.fail(.invalid)
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { tweet.write(to: &writer, style: style) }
    }

    /// The answer to a search; premium searches call the tweets `results`.
    struct Search: Record {
        var statuses: [SentTweet]?, metadata: SearchFacts?, next: String?

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

    /// Whatever v1.1 answers: a tweet, a timeline, a search, or users; nil, and a failure, where it is none of them.
    static func read(_ node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.kind == .array { return readList(node, &reader) }
        if node["statuses"] != nil || node["results"] != nil {
            return Search.read(node, .none, &reader).map { .search($0.answer) }
        }
        if isUser(node) {
            return Profile.read(node, .none, &reader)?.user(&reader).map { .user($0) }
        }
        return SentTweet.read(node, .none, &reader).map { .tweet($0.tweet) }
    }

    private static func readList(_ node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.elements.contains(where: isUser), !node.elements.contains(where: hasText) {
            return [SentUser].read(node, .droppingInvalid, &reader).map { .users($0.map(\.user)) }
        }
        return [SentTweet].read(node, .droppingInvalid, &reader).map { sent in
            let tweets = sent.map(\.tweet)
            return .timeline(tweets, nextMaxId: tweets.last?.content.id.predecessor)
        }
    }

    private static func isUser(_ node: JSONNode) -> Bool { node["screen_name"] != nil && !hasText(node) }

    private static func hasText(_ node: JSONNode) -> Bool { node["text"] != nil || node["full_text"] != nil }

    private struct SentUser: FieldValue {
        let user: User

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentUser? {
            guard let profile = Profile.read(node, rules, &reader) else { return nil }
            return profile.user(&reader).map(SentUser.init) ?? reader.fail(.invalid)
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { user.write(to: &writer, style: style) }
    }
}

extension TwitterV1.Search {
    fileprivate var answer: SearchAnswer {
        var answer = SearchAnswer()
        answer.statuses = (statuses ?? []).map(\.tweet)
        answer.metadata.query = metadata?.query.map { PercentText.decode($0) }
        answer.metadata.count = metadata?.count
        answer.metadata.nextMaxId = metadata?.nextResults.flatMap { PercentText.parameter("max_id", of: $0) }
        answer.metadata.next = next
        return answer
    }
}
