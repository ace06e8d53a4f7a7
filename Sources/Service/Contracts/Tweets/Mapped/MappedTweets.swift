import API
package import JSONText
package import Records

/// Answers of tweet upstreams in the words of a mapping: posts in the contract's names.
package enum MappedTweets {
    /// The kinds of requests, by their names in mappings.
    package enum Kind: String, Sendable, CaseIterable {
        case status, timeline, search

        /// The kind of a request.
        package init(_ query: TweetQuery) {
            switch query {
            case .tweet: self = .status
            case .timeline: self = .timeline
            case .search: self = .search
            }
        }
    }

    /// Returns the schema of a shaped document of a kind, whose records are added to `components`.
    package static func schema(of kind: Kind, in components: inout SchemaComponents) -> JSONValue {
        if kind == .status { return MappedPost.schema(in: &components) }
        let posts = [MappedPost].schema(in: &components)
        let properties: JSONValue = ["statuses": posts, "next": ["type": "string"]]
        return ["anyOf": [posts, ["type": "object", "properties": properties]]]
    }

    /// Reads a shaped document as the answer to a request of the given kind, and returns the repairs.
    ///
    /// The document is a post, for `status`; otherwise an array of posts, or an object with `statuses` and the cursor of the
    /// next page as `next`, for which `cursor` can stand, too. More posts than `query` requests are left out.
    /// - Throws: `ContractError` if the post or all posts lack required fields.
    package static func read(
        _ root: JSONNode, as kind: Kind, answering query: TweetQuery? = nil, cursor: String? = nil,
        _ rules: MappedTweetRules, into answer: inout TweetAnswer?
    ) throws(ContractError) -> DriftReport {
        var reader = RecordReader()
        answer = read(root, as: kind, query, cursor, rules, &reader)
        if answer == nil { throw reader.failure(expected: TweetDialect.expectation) }
        return reader.drift.placed { place(of: $0, in: kind) ?? $0 }
    }

    private static func read(
        _ root: JSONNode, as kind: Kind, _ query: TweetQuery?, _ cursor: String?, _ rules: MappedTweetRules,
        _ reader: inout RecordReader
    ) -> TweetAnswer? {
        if kind == .status {
            var tweet = Tweet()
            return MappedPost.read(root, into: &tweet, rules, &reader) ? .tweet(tweet) : nil
        }
        var posts: [Tweet]?, next = cursor
        if root.kind == .object {
            posts = reader.at("statuses") { reader in root["statuses"].flatMap { self.posts(in: $0, rules, &reader) } }
            if posts == nil { return reader.hasFailures ? nil : reader.demand(nil, "statuses") }
            if let node = root["next"] {
                next = reader.at("next") { $0.read(node) { WireID.read($0, .none, &$1)?.text } }
            }
        } else {
            posts = self.posts(in: root, rules, &reader)
        }
        guard var posts else { return nil }
        next = next.flatMap { MappedTweetRules.isPrintable($0) ? $0 : nil }
        if let count = query?.count, count < posts.count {
            // Only a page that starts at an id can begin behind the last kept post.
            let startsAtID = next == posts.last?.content.id
            posts.removeLast(posts.count - count)
            next = startsAtID ? posts.last?.content.id : nil
        }
        if kind == .timeline { return .timeline(posts, nextMaxId: next) }
        return .search(SearchAnswer(posts, of: query, nextMaxId: next))
    }

    private static func posts(
        in list: JSONNode, _ rules: MappedTweetRules, _ reader: inout RecordReader
    ) -> [Tweet]? {
        usable(of: list, .droppingInvalid, &reader) { elementRules, reader in
            reader.fillElements(of: list, elementRules, expected: MappedPost.expectation, blank: Tweet.init) {
                MappedPost.read($0, into: &$1, rules, &$2)
            }
        }
    }

    /// Returns the pattern in the contract's answer for one in a document of a mapping: `statuses[].fullText` for `[].html`
    /// of a search; nil for the same pattern.
    package static func place(of pattern: String, in kind: Kind) -> String? {
        var place = pattern
        if kind == .search, place.hasPrefix("[]") { place = "statuses" + place }
        if kind == .timeline, place.hasPrefix("statuses[]") { place.removeFirst("statuses".count) }
        if kind == .search, place == "next" { place = "metadata.nextMaxId" }
        if place == "html" || place.hasSuffix(".html") { place = place.dropLast("html".count) + "fullText" }
        return place == pattern ? nil : place
    }
}

// The values that requests for posts can name.
extension MappedTweets.Kind {
    /// The names that the requests of the kind know.
    package var names: Set<String> {
        switch self {
        case .status: ["id"]
        case .timeline: ["name", "count", "cursor"]
        case .search: ["text", "count", "cursor"]
        }
    }
}

extension MappedTweets {
    /// Returns the values for a query; those that it does not have are null.
    package static func values(of query: TweetQuery) -> [String: JSONValue] {
        func list(_ name: String, _ value: String, _ count: Int?, _ cursor: String?) -> [String: JSONValue] {
            [
                name: .string(value), "count": count.map { .number("\($0)") } ?? .null,
                "cursor": cursor.map { .string($0) } ?? .null,
            ]
        }
        return switch query {
        case .tweet(let id): ["id": .string(id)]
        case .timeline(let name, let count, let cursor): list("name", name, count, cursor)
        case .search(let text, let count, let cursor): list("text", text, count, cursor)
        }
    }
}
