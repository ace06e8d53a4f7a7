import JSONText
import LenientCoding

extension Mastodon {
    /// A status as an element: one that is none fails, and is removed where that is asked for.
    struct SentTweet: FieldValue {
        let tweet: Tweet

        static var expectation: String { "a status" }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentTweet? {
            guard let status = Status.read(node, rules, &reader) else { return nil }
            return status.tweet(&reader).map(SentTweet.init) ?? reader.fail(.invalid)
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { tweet.write(to: &writer, style: style) }
    }

    /// The answer to a search.
    struct Search: Record {
        var statuses: [SentTweet]?

        static let schema = Schema<Search> {
            Field("statuses", \.statuses, .required, .dropInvalid)
            Ignored("accounts", "hashtags")
        }
    }

    /// An account as an element.
    private struct SentUser: FieldValue {
        let user: User

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentUser? {
            guard let account = Account.read(node, rules, &reader) else { return nil }
            return account.user(&reader).map(SentUser.init) ?? reader.fail(.invalid)
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { user.write(to: &writer, style: style) }
    }

    /// Whatever Mastodon answers: a status, a timeline, a search, a conversation or accounts; nil, and a failure, where it
    /// is none of them.
    static func read(_ node: JSONNode, _ query: TweetQuery?, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.kind == .array { return readList(node, &reader) }
        if node["statuses"] != nil { return readSearch(node, query, &reader) }
        if let envelope = Envelope(node) { return envelope.read(node, &reader) }
        if isAccount(node) { return SentUser.read(node, .none, &reader).map { .user($0.user) } }
        return SentTweet.read(node, .none, &reader).map { .tweet($0.tweet) }
    }

    private static func readList(_ node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.elements.contains(where: isAccount), !node.elements.contains(where: { $0["content"] != nil }) {
            return [SentUser].read(node, .droppingInvalid, &reader).map { .users($0.map(\.user)) }
        }
        return [SentTweet].read(node, .droppingInvalid, &reader).map { sent in
            .timeline(sent.map(\.tweet), nextMaxId: sent.last?.tweet.content.id)
        }
    }

    private static func readSearch(
        _ node: JSONNode, _ query: TweetQuery?, _ reader: inout RecordReader
    ) -> TweetAnswer? {
        Search.read(node, .none, &reader).map { search in
            var answer = SearchAnswer()
            answer.statuses = (search.statuses ?? []).map(\.tweet)
            if case .search(let text, let count, _) = query {
                answer.metadata.query = text
                answer.metadata.count = count
            }
            answer.metadata.nextMaxId = answer.statuses.last?.content.id
            return .search(answer)
        }
    }

    private static func isAccount(_ node: JSONNode) -> Bool { node["acct"] != nil && node["content"] == nil }

    /// The error that a document is: `{"error","error_description"}`.
    static func refusal(_ node: JSONNode) -> TweetDialect.Refusal? {
        guard node.kind == .object, node["id"] == nil, let error = node["error"]?.string else { return nil }
        return TweetDialect.Refusal(
            message: node["error_description"]?.string ?? error, code: nil,
            status: error == "Record not found" ? 404 : nil)
    }

    /// What the statuses of errors mean for who asks without a key: 401 and 403 that it is not for everybody, 422 that a
    /// search cannot be understood.
    static let meanings = [401: 403, 403: 403, 410: 404, 422: 422]
}
