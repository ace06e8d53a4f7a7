import Contracts
import HTTPClient
import JSONText

/// An upstream of tweets.
struct TweetUpstream: DocumentUpstream {
    let upstream: Upstream
    let dialect: TweetDialect

    var dialectName: String { dialect.name }

    /// Some upstreams know users by an id of their own only, which is looked up first.
    func fetch(_ request: TweetRequest, with client: Client) async throws(Upstream.Failure) -> Normalized {
        var query = request.query
        if let lookup = dialect.lookup(for: query) {
            let dialect = dialect
            query = try await upstream.fetch(
                exchange(lookup.target) { try lookup.resolved($0.body, $1, dialect) }, with: client
            )
        }
        let (asked, dialect, shaping) = (query, dialect, request.shaping)
        return try await upstream.fetch(
            exchange(dialect.target(for: asked)) { response, options in
                try dialect.normalize(
                    response.body, askedFor: asked, link: response.link, shaping: shaping, options: options)
            }, with: client)
    }

    private func exchange<Document>(
        _ target: String, _ read: @escaping @Sendable (IncomingResponse, JSONOptions) throws -> Document
    ) -> Upstream.Exchange<Document> {
        let dialect = dialect
        return Upstream.Exchange(
            target: target, keyPlace: dialect.keyPlace, read: read,
            explain: { dialect.refusal(in: $0).map { ($0.message, $0.status) } })
    }
}
