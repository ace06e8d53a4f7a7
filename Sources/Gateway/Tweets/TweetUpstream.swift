import Contracts
import HTTPClient
import HTTPCore
import JSONText

struct TweetUpstream: DocumentUpstream {
    let upstream: Upstream
    let dialect: TweetDialect

    func canAnswer(_ request: TweetRequest, now: Int64) -> Bool { dialect.canAnswer(request.query) }

    /// Fetches tweets, after the user's id if the upstream does not find users by name and the id is not known.
    nonisolated(nonsending) func fetch(
        _ request: TweetRequest, in context: FetchContext
    ) async throws(Upstream.Failure) -> Normalized {
        guard let lookup = dialect.lookup(for: request.query) else {
            return try await tweets(request.query, request.shaping, context)
        }
        // A reload can give the upstream another address.
        let (memory, key) = (upstream.state.tweets, upstream.baseURL + lookup.target)
        if let id = memory.userID(of: key, now: context.now) {
            do throws(Upstream.Failure) {
                return try await tweets(lookup.resolved(by: id), request.shaping, context)
            } catch {
                // Perhaps the name belongs to another user now.
                guard error.isNotFound else { throw error }
                memory.setUserID(nil, of: key, now: context.now)
            }
        }
        let dialect = dialect
        let id = try await upstream.fetch(
            documentRequest(.lookup, lookup.target) { try lookup.userID($0.body, $1, dialect) }, in: context)
        memory.setUserID(id, of: key, now: context.now)
        return try await tweets(lookup.resolved(by: id), request.shaping, context)
    }

    /// Fetches tweets; if the upstream does not understand the parameters, once more with other names.
    nonisolated(nonsending) private func tweets(
        _ query: TweetQuery, _ shaping: TweetShaping, _ context: FetchContext
    ) async throws(Upstream.Failure) -> Normalized {
        let memory = upstream.state.tweets
        let known = memory.vocabulary % dialect.vocabularies
        let failure: Upstream.Failure
        do throws(Upstream.Failure) {
            return try await tweets(query, known, shaping, context)
        } catch {
            failure = error
        }
        let other = (known + 1) % dialect.vocabularies
        guard failure.isNotUnderstood, other != known else { throw failure }
        do throws(Upstream.Failure) {
            let found = try await tweets(query, other, shaping, context)
            memory.vocabulary = other
            return found
        } catch {
            // If it understands neither, the names are not the reason.
            if error.isNotUnderstood { throw failure }
            if error.isNotFound { memory.vocabulary = other }
            throw error
        }
    }

    nonisolated(nonsending) private func tweets(
        _ asked: TweetQuery, _ vocabulary: Int, _ shaping: TweetShaping, _ context: FetchContext
    ) async throws(Upstream.Failure) -> Normalized {
        let (dialect, hasKey) = (dialect, hasKey)
        return try await upstream.fetch(
            documentRequest(asked.endpoint, dialect.target(for: asked, vocabulary: vocabulary)) { response, options in
                try dialect.normalize(
                    response.body, answering: asked, link: response.headers["Link"], hasKey: hasKey, shaping: shaping,
                    options: options)
            }, in: context)
    }

    private func documentRequest<Document>(
        _ endpoint: Upstream.Endpoint, _ target: String,
        _ read: @escaping @Sendable (IncomingResponse, JSONOptions) throws -> Document
    ) -> Upstream.DocumentRequest<Document> {
        let (dialect, hasKey) = (dialect, hasKey)
        return Upstream.DocumentRequest(
            endpoint: endpoint, target: target, read: read,
            explain: { response in
                dialect.refusal(in: response.body, status: response.status, hasKey: hasKey)
                    .map { ($0.message, $0.status) }
            })
    }

    /// Whether requests carry a key or a token.
    private var hasKey: Bool {
        switch upstream.credentials.current.credentials {
        case .none, .key(_, .none): false
        case .key, .oauth1, .oauth2, .jwt: true
        }
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
