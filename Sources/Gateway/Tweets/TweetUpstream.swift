import Contracts
import HTTPClient
import HTTPCore
import JSONText

struct TweetUpstream: DocumentUpstream {
    let upstream: Upstream
    let dialect: TweetDialect

    func canAnswer(_ request: TweetRequest) -> Bool { dialect.canAnswer(request.query) }

    /// Fetches tweets, after the user's id if the upstream does not find users by name.
    nonisolated(nonsending) func fetch(
        _ request: TweetRequest, in context: FetchContext
    ) async throws(Upstream.Failure) -> Normalized {
        var query = request.query
        if let lookup = dialect.lookup(for: query) {
            let dialect = dialect
            query = try await upstream.fetch(
                documentRequest(.lookup, lookup.target) { try lookup.resolved($0.body, $1, dialect) }, in: context)
        }
        let (asked, dialect, shaping) = (query, dialect, request.shaping)
        return try await upstream.fetch(
            documentRequest(asked.endpoint, dialect.target(for: asked)) { response, options in
                try dialect.normalize(
                    response.body, answering: asked, link: response.headers["Link"], shaping: shaping,
                    options: options)
            }, in: context)
    }

    private func documentRequest<Document>(
        _ endpoint: Upstream.Endpoint, _ target: String,
        _ read: @escaping @Sendable (IncomingResponse, JSONOptions) throws -> Document
    ) -> Upstream.DocumentRequest<Document> {
        let dialect = dialect
        return Upstream.DocumentRequest(
            endpoint: endpoint, target: target, read: read,
            explain: { dialect.refusal(in: $0.body, status: $0.status).map { ($0.message, $0.status) } })
    }
}

extension TweetQuery {
    fileprivate var endpoint: Upstream.Endpoint {
        switch self {
        case .tweet: .tweet
        case .timeline: .timeline
        case .search: .search
        }
    }
}
