/// Twitter's search answer as plain Codable types.
enum TwitterCodable {}

extension TwitterCodable {
    /// A Twitter v1.1 search answer: every member of the recorded one that has a type.
    struct Search: Codable {
        var statuses: [Tweet]
        var searchMetadata: SearchMetadata
    }

    /// What the search says of itself.
    struct SearchMetadata: Codable {
        var completedIn: Double
        var maxId: Int
        var maxIdStr: String
        var nextResults: String
        var query: String
        var refreshUrl: String
        var count: Int
        var sinceId: Int
        var sinceIdStr: String
    }
}
