public import JSONText
public import Records

/// A request for tweets, independent of the upstream.
public enum TweetQuery: Sendable, Equatable {
    /// The tweet with this id.
    case tweet(id: String)
    /// The latest tweets of a user, from the id `maxId` downwards.
    case timeline(screenName: String, count: Int?, maxId: String?)
    /// The latest tweets that match a search, from the id `maxId` downwards.
    case search(text: String, count: Int?, maxId: String?)

    /// The id of a tweet that the query names.
    public var tweetID: String? {
        switch self {
        case .tweet(let id): id
        case .timeline(_, _, let maxId), .search(_, _, let maxId): maxId
        }
    }

    /// The start of the paths of values in the tweets of an answer.
    var pattern: String {
        switch self {
        case .tweet: ""
        case .timeline: "[]."
        case .search: "statuses[]."
        }
    }

    /// The largest number of tweets to answer.
    var count: Int? {
        switch self {
        case .tweet: nil
        case .timeline(_, let count, _), .search(_, let count, _): count
        }
    }
}

/// A request that comes before the query itself, because the upstream knows users by their id only.
public struct TweetLookup: Sendable {
    /// The path and query of the request.
    public let target: String
    let id: @Sendable (JSONNode) throws -> String?
    let query: @Sendable (_ userID: String) -> TweetQuery

    /// Returns the query with the id of the user in the place of the name.
    public func resolved(by userID: String) -> TweetQuery { query(userID) }

    /// Returns the id of the user from the upstream's answer.
    /// - Throws: `JSONSyntaxError`, the upstream's `Refusal`, or `ContractError` if the answer has no id.
    public func user(_ bytes: [UInt8], _ options: JSONOptions, _ dialect: TweetDialect) throws -> String {
        var parser = JSONParser(options: options.forUpstream)
        return try parser.withDocument(bytes) { root in
            if let refusal = dialect.refusal(root) { throw refusal }
            if let id = try id(root) { return id }
            throw RecordReader().failure(expected: "a user with a valid id")
        }
    }
}

/// The form in which a client wants tweets.
public struct TweetShaping: Sendable {
    /// How dates are written.
    public var dates = DateForm.iso8601
    /// The fields to keep, of each tweet or of a search's answer; nil for all.
    public var fields: FieldSelection?

    /// All fields, with ISO 8601 dates.
    public init() {}

    var style: WritingStyle {
        var style = WritingStyle()
        style.dates = dates
        style.selection = fields
        return style
    }
}
