import JSONText
import LenientCoding

extension TwitterV2 {
    /// Whatever v2 answers: a tweet, a list of them, or users; nil, and a failure, where it is none of them.
    static func read(_ node: JSONNode, _ query: TweetQuery?, _ reader: inout RecordReader) -> TweetAnswer? {
        guard let envelope = Envelope.read(node, .none, &reader) else { return nil }
        if let errors = node["errors"] {
            reader.at("errors") { $0.atElements(of: errors) { _, _, reader in reader.note(.dropped, .refused) } }
        }
        guard let data = node["data"], !data.isNull else {
            // A list of nothing has no data.
            if envelope.meta?.resultCount == 0 { return list([], envelope, query) }
            return reader.demand(nil, "data")
        }
        var join = reader.at("includes") { Join(envelope.includes, &$0) }
        return reader.at("data") { reader in
            if data.kind == .array { return readList(data, envelope, &join, query, &reader) }
            if isUser(data) { return Profile.read(data, .none, &reader).map { .user($0.user) } }
            return Status.read(data, .none, &reader).flatMap { join.tweet($0, &reader) }.map { .tweet($0) }
        }
    }

    private static func readList(
        _ data: JSONNode, _ envelope: Envelope, _ join: inout Join, _ query: TweetQuery?, _ reader: inout RecordReader
    ) -> TweetAnswer? {
        if data.elements.contains(where: isUser), !data.elements.contains(where: { $0["text"] != nil }) {
            return [Profile].read(data, .droppingInvalid, &reader).map { .users($0.map(\.user)) }
        }
        let most = FieldRules.droppingInvalid.maximumElements
        var tweets: [Tweet] = []
        reader.atElements(of: data) { _, node, reader in
            if tweets.count == most { return reader.note(.dropped, .tooMany) }
            if node.isNull { return reader.note(.dropped, .mistyped) }
            let tweet = reader.read(node) { node, reader in
                Status.read(node, .none, &reader).flatMap { join.tweet($0, &reader) ?? reader.fail(.invalid) }
            }
            if let tweet { tweets.append(tweet) }
        }
        return list(tweets, envelope, query)
    }

    private static func list(_ tweets: [Tweet], _ envelope: Envelope, _ query: TweetQuery?) -> TweetAnswer {
        let oldest = envelope.meta?.oldestID ?? tweets.last?.content.id
        let next = envelope.meta?.nextToken.flatMap { _ in oldest?.predecessor }
        guard case .search(let text, let count, _) = query else { return .timeline(tweets, nextMaxId: next) }
        var answer = SearchAnswer()
        answer.statuses = tweets
        answer.metadata.query = text
        answer.metadata.count = count ?? envelope.meta?.resultCount
        answer.metadata.nextMaxId = next
        return .search(answer)
    }

    private static func isUser(_ node: JSONNode) -> Bool { node["username"] != nil && node["text"] == nil }

    /// The error that a document without data is: `{"errors":[…]}`, or a problem of its own with `title` and `status`.
    static func refusal(_ node: JSONNode) -> TweetDialect.Refusal? {
        guard node.kind == .object, node["data"]?.isNull != false, node["meta"] == nil else { return nil }
        let error = node["errors"]?.elements.first { $0.kind == .object } ?? node
        guard let message = ["detail", "message", "title", "error"].lazy.compactMap({ error[$0]?.string }).first
        else { return nil }
        let type = error["type"]?.string?.split(separator: "/").last.flatMap { types[String($0)] }
        let code = error["code"]?.int64.map { Int(truncatingIfNeeded: $0) }
        let status = (error["status"] ?? node["status"])?.int64.map { Int(truncatingIfNeeded: $0) }
        return TweetDialect.Refusal(
            message: message, code: code,
            status: type ?? status.flatMap { (400...599).contains($0) ? $0 : nil }
                ?? code.flatMap { TwitterV1.statuses[$0] })
    }

    /// What the types of problems mean in HTTP, by Twitter's documentation of them.
    private static let types = [
        "resource-not-found": 404, "not-authorized-for-resource": 403, "client-forbidden": 403, "usage-capped": 429,
    ]
}
