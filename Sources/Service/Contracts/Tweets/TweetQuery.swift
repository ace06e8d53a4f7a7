import API
import HTTPCore
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

/// The next page of a list, as the `Link` header field names it (RFC 8288):
/// `<https://…?max_id=7>; rel="next", <…>; rel="prev"`.
struct NextPage: Sendable {
    private static let longestId = 64

    /// The `maxId` that requests the next page; nil at the end of the list.
    let maxId: String?

    /// Reads a header field; nil if it has no links, or if the id in the next link could not be requested.
    init?(link: String) {
        guard link.contains("max_id=") || link.contains("rel=") else { return nil }
        guard let target = WebLink.next(in: link) else {
            maxId = nil
            return
        }
        guard let id = Self.parameter("max_id", of: target.drop { $0 != "?" }), !id.isEmpty,
            id.utf8.count <= Self.longestId,
            id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        else { return nil }
        maxId = id
    }

    /// Returns the decoded value of a parameter in a query such as `?max_id=250&q=rain`.
    static func parameter(_ name: String, of query: some StringProtocol) -> String? {
        query.drop { $0 == "?" }.split(separator: "&").first { $0.hasPrefix(name + "=") }
            .map { PercentCoding.decodeLeniently(String($0.dropFirst(name.count + 1))) }
    }
}

extension String {
    /// The decimal number before this one; nil for 0 and for other texts.
    var predecessor: String? { decimal.flatMap { $0 > 0 ? String($0 - 1) : nil } }

    /// The decimal number after this one; nil for other texts.
    var successor: String? { decimal.flatMap { $0 < .max ? String($0 + 1) : nil } }

    /// The number of 64 bits that the text is, without a sign.
    private var decimal: UInt64? {
        utf8.first.flatMap { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 ? UInt64(self) : nil }
    }
}
