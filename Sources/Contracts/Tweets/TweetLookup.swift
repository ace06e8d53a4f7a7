public import JSONText

/// A question that comes before another one: by which id an upstream knows a user.
public struct TweetLookup: Sendable {
    /// The path and query that ask it.
    public let target: String
    let resolve: @Sendable (JSONNode) -> TweetQuery?

    /// The query that the answer leads to.
    /// - Throws: `JSONSyntaxError`, the upstream's `Refusal`, or `ContractError` where the answer has no id.
    public func resolved(_ bytes: [UInt8], _ options: JSONOptions, _ dialect: TweetDialect) throws -> TweetQuery {
        var parser = JSONParser(options: options)
        return try parser.withDocument(bytes) { root in
            if let refusal = dialect.refusal(root) { throw refusal }
            if let query = resolve(root) { return query }
            throw dialect.unreadable
        }
    }
}
