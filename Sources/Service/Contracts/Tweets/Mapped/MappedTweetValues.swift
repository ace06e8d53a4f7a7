package import Records

// The values that a mapping's requests for posts can name.
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
