import API
import HTTPCore
import JSONText
import Records

extension TweetDialect {
    /// Mastodon, Pleroma, Akkoma and Pixelfed: `/api/v1/statuses/{id}`, with a user's token if there is one.
    public static let mastodon = TweetDialect(
        name: "mastodon",
        keyLocation: .bearer,
        needsKey: false,
        lookup: { query, endpoint in
            guard case .timeline(let name, let count, let maxId) = query else { return nil }
            // Servers without the first endpoint have the second one.
            let target = ["lookup?acct=", "search?limit=40&q="][endpoint] + PercentCoding.encode(name)
            return TweetLookup(target: "/api/v1/accounts/" + target) { answer in
                endpoint == 0 ? Mastodon.accountID(answer) : try Mastodon.accountID(named: name, in: answer)
            } query: {
                .timeline(screenName: $0, count: count, maxId: maxId)
            }
        },
        lookupEndpoints: 2,
        target: { query, _ in
            func page(_ count: Int?, _ maxId: String?) -> String {
                "limit=\(min(40, count ?? 20))" + (maxId.map { "&max_id=\(PercentCoding.encode($0))" } ?? "")
            }
            switch query {
            case .tweet(let id): return "/api/v1/statuses/\(PercentCoding.encode(id))"
            // The lookup has replaced the name by the id.
            case .timeline(let accountID, let count, let maxId):
                return "/api/v1/accounts/\(PercentCoding.encode(accountID))/statuses?" + page(count, maxId)
            case .search(let text, let count, let maxId):
                // A search finds no statuses by a hashtag alone, and the tag's timeline needs no token.
                if let tag = Mastodon.hashtag(text) {
                    return "/api/v1/timelines/tag/\(PercentCoding.encode(tag))?" + page(count, maxId)
                }
                return "/api/v2/search?type=statuses&q=\(PercentCoding.encode(text))&" + page(count, maxId)
            }
        },
        // Mastodon's max_id is exclusive.
        next: { $0 },
        author: { query in
            // The timeline of a tag is a list.
            if case .search(let text, _, _) = query, Mastodon.hashtag(text) != nil { return "[].account" }
            return query.pattern + "account"
        },
        read: { Mastodon.read($0, $1, &$2) },
        refusal: { Mastodon.refusal($0) },
        // Without a key, 401 and 403 mean that the status is not public; 422 means that the search is malformed.
        statuses: [401: 403, 403: 403, 410: 404, 422: 422],
        // Mastodon answers 200 without statuses. Nothing tells that from a search that finds nothing.
        emptySearchWithoutKey: { text in
            if Mastodon.hashtag(text) != nil { return nil }
            let message = "It found nothing: without a user's token, Mastodon searches no statuses."
            return Refusal(message: message, code: nil, status: 403)
        })
}

/// The documents of Mastodon, and of Pleroma, Akkoma and Pixelfed, which are mostly compatible.
enum Mastodon {
    /// Reads a status, a timeline, a search, an envelope or accounts; nil, with the failures recorded, for any other.
    static func read(_ node: JSONNode, _ query: TweetQuery?, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.kind == .array {
            let answer = readList(node, &reader)
            guard case .search(let text, _, _) = query, hashtag(text) != nil,
                case .timeline(let tweets, let next) = answer
            else { return answer }
            return .search(SearchAnswer(tweets, of: query, nextMaxId: next))
        }
        if node["statuses"] != nil {
            guard let tweets = Search.read(node, .none, &reader)?.statuses?.models else { return nil }
            return .search(SearchAnswer(tweets, of: query, nextMaxId: tweets.last?.content.id))
        }
        if node["content"] == nil {
            if node["ancestors"] != nil || node["descendants"] != nil {
                return Conversation.answer(of: node, &reader)
            }
            if node["quoted_status"] != nil || node["quoted_status_id"] != nil {
                return LoneQuote.read(node, .none, &reader)?.status.map { .tweet($0) }
            }
            if node["event"] != nil { return Event.read(node, .none, &reader)?.payload.map { .tweet($0.tweet) } }
            if isAccount(node) { return WireAccount.model(of: node, &reader).map { .user($0) } }
        }
        return WireStatus.model(of: node, &reader).map { .tweet($0) }
    }

    /// Returns the id of an account; nil without one that can stand in a path.
    ///
    /// Mastodon's are numbers, Pleroma's and Akkoma's are letters and digits.
    static func accountID(_ account: JSONNode) -> String? {
        guard let id = account["id"], !FieldRules.ofID.meanAbsent(id) else { return nil }
        let text = id.string ?? id.int64.map { String($0) }
        return text?.wholeMatch(of: /[A-Za-z0-9_\-]{1,64}/) != nil ? text : nil
    }

    /// Returns the id of the account with this name, in either case, among those that a search has found.
    /// - Throws: `Refusal` with the status 404 if there is none.
    static func accountID(named name: String, in accounts: JSONNode) throws -> String? {
        guard accounts.kind == .array else { return nil }
        let account = accounts.elements.first { $0["acct"]?.string?.lowercased() == name.lowercased() }
        guard let account else {
            throw TweetDialect.Refusal(message: "No account has this name.", code: nil, status: 404)
        }
        return accountID(account)
    }

    /// Returns the word of a search that is one hashtag; nil for other searches.
    static func hashtag(_ text: String) -> String? {
        text.first == "#" ? text.dropFirst().wholeMatch(of: /\w+/).map { String($0.output) } : nil
    }

    private static func readList(_ node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
        if node.elements.contains(where: isAccount), !node.elements.contains(where: { $0["content"] != nil }) {
            return UsableList<WireAccount>.read(node, .droppingInvalid, &reader).map { .users($0.models) }
        }
        return UsableList<WireStatus>.read(node, .droppingInvalid, &reader).map { statuses in
            .timeline(statuses.models, nextMaxId: statuses.models.last?.content.id)
        }
    }

    private struct Search: Record {
        var statuses: UsableList<WireStatus>?

        static let schema = Schema<Search> {
            Field("statuses", \.statuses, .required, .dropInvalid)
            Ignored("accounts", "hashtags")
        }
    }

    private static func isAccount(_ node: JSONNode) -> Bool { node["acct"] != nil && node["content"] == nil }

    /// The HTTP status for errors that some of the servers answer with another one.
    private static let statuses = [
        "Record not found": 404,
        // Tags, on servers that show them to their own users only.
        "This method requires an authenticated user": 403,
    ]

    /// Returns the error that a document is: `{"error","error_description"}`.
    static func refusal(_ node: JSONNode) -> TweetDialect.Refusal? {
        guard node.kind == .object, node["id"] == nil, let error = node["error"]?.string else { return nil }
        return TweetDialect.Refusal(
            message: node["error_description"]?.string ?? error, code: nil, status: statuses[error])
    }
}

extension Mastodon {
    /// The statuses before and after a status, in reading order; the status itself is not among them.
    struct Conversation: Record {
        var ancestors: ConvertedList<WireStatus>?, descendants: ConvertedList<WireStatus>?

        static let schema = Schema<Conversation> {
            Field("ancestors", \.ancestors, .dropInvalid)
            Field("descendants", \.descendants, .dropInvalid)
        }

        /// Returns the statuses of a conversation; nil, with the failures recorded, if it has some and none is usable.
        static func answer(of node: JSONNode, _ reader: inout RecordReader) -> TweetAnswer? {
            guard let conversation = Conversation.read(node, .none, &reader) else { return nil }
            let lists = [conversation.ancestors, conversation.descendants].compactMap(\.self)
            if lists.isEmpty { return reader.demand(nil, "ancestors") }
            let statuses = lists.flatMap(\.models)
            if statuses.isEmpty {
                let sent: [(StaticString, JSONNode?)] = [
                    ("ancestors", node["ancestors"]), ("descendants", node["descendants"]),
                ]
                // Read once more, a list fails with the reasons for which its elements were dropped.
                for (key, list) in sent {
                    guard let list, list.kind == .array, list.count > 0 else { continue }
                    let isUsable = reader.at(key) { ConvertedList<WireStatus>.read(list, .none, &$0) } != nil
                    if !isUsable { return nil }
                }
            }
            return .timeline(statuses, nextMaxId: nil)
        }
    }

    /// A quote without the status that quotes.
    struct LoneQuote: Record {
        var status: Tweet?

        static let schema = Schema<LoneQuote> {
            Field("quoted_status", \.status, from: WireStatus.self, .required)
            Ignored("quoted_status_id", "state")
        }
    }

    /// An event of a stream: a new or edited status is its payload.
    struct Event: Record {
        var payload: Payload?

        static let schema = Schema<Event> {
            Field("payload", \.payload, .required)
            Ignored("event", "stream")
        }
    }

    /// A status as JSON in a string or, from some servers, as an object.
    struct Payload: WireValue {
        let tweet: Tweet

        static var expectation: String { WireStatus.expectation }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Payload? {
            guard let text = node.string else { return WireStatus.model(of: node, &reader).map(Payload.init) }
            var parser = JSONParser()
            do {
                let tweet = try parser.withDocument(Array(text.utf8)) { WireStatus.model(of: $0, &reader) }
                return tweet.map(Payload.init)
            } catch {
                return reader.fail(.mistyped)
            }
        }
    }
}
