import Proxy
import API
import HTTPClient
import HTTPCore
import JSONText
import Contracts

struct TweetUpstream: DocumentUpstream {
    let upstream: Upstream
    let dialect: TweetDialect
    /// The mapping that makes the requests; nil for a dialect of Swift.
    var mapping: TweetMapping?
    /// How tweets are kept; nil if they are not.
    let policy: CachePolicy?

    func canAnswer(_ request: TweetRequest, now: Int64) -> Bool { dialect.canAnswer(request.query) }

    /// Returns tweets, after the user's id if the upstream does not find users by name.
    nonisolated(nonsending) func answer(
        _ request: TweetRequest, _ form: AnswerForm, in context: FetchContext
    ) async throws(FetchFailure) -> Answer {
        if let plan = mapping?.plan(for: request.query) {
            return try await answer(request.query, plan, request.shaping, form, context)
        }
        guard dialect.lookup(for: request.query) != nil else {
            return try await tweets(request.query, request.shaping, form, context)
        }
        let found = try await lookUp(request.query, context)
        do throws(FetchFailure) {
            return try await tweets(found.query, request.shaping, form, context)
        } catch {
            // Perhaps the name belongs to another user now.
            guard error.isNotFound, found.isRemembered else { throw error }
        }
        upstream.forget(found.lookup.target, errors)
        let again = try await lookUp(request.query, isNew: true, context)
        return try await tweets(again.query, request.shaping, form, context)
    }

    /// Returns tweets of an upstream of a mapping, which makes the requests.
    nonisolated(nonsending) private func answer(
        _ query: TweetQuery, _ plan: MappingPlan, _ shaping: TweetShaping, _ form: AnswerForm, _ context: FetchContext
    ) async throws(FetchFailure) -> Answer {
        let (dialect, hasKey) = (dialect, hasKey)
        let meaning: @Sendable (Int) -> Int? = { dialect.meaning(of: $0) }
        let prepared = try await plan.prepare(
            upstream, MappedTweets.values(of: query), policy: policy, meaning: meaning, in: context)
        let errors = ErrorReader("tweets " + prepared.identity) { response in
            let (message, status) = prepared.rules.explain(response)
            return (message, status ?? meaning(response.status))
        }
        let request = DocumentRequest(
            to: upstream, query.kind, target: prepared.request.target, shownPath: { prepared.shownPath },
            content: prepared.request.content, policy: policy, errors: errors
        ) {
            let text = try prepared.text(with: $0.body, $1)
            var options = $1
            options.maximumBytes = max(options.maximumBytes, text.count)
            let document = try dialect.normalize(text, answering: query, hasKey: hasKey, options: options)
            return ReadDocument { document.shaped(shaping).adding(prepared.losses) }
        }
        return try await request.answer(form, in: context)
    }

    /// The result of a look-up: the query with the id of the user in the place of the name.
    private struct FoundUser {
        let lookup: TweetLookup
        let query: TweetQuery
        let isRemembered: Bool
    }

    /// Looks the user up at the endpoint that is known to work at the upstream; until one has, at each in turn.
    nonisolated(nonsending) private func lookUp(
        _ query: TweetQuery, isNew: Bool = false, _ context: FetchContext
    ) async throws(FetchFailure) -> FoundUser {
        let (dialect, state) = (dialect, upstream.state)
        let known = state.lookup
        // Where the first endpoint works, its 404 is about the name.
        let others = (0..<dialect.lookupEndpoints).filter { $0 != known }
        let endpoints = known == 0 ? [0] : [known].compactMap(\.self) + others
        var failure: FetchFailure?
        for endpoint in endpoints {
            guard let lookup = dialect.lookup(for: query, endpoint: endpoint) else { continue }
            do throws(FetchFailure) {
                let (user, isRemembered) = try await upstream.lookUp(
                    .lookup, lookup.target, shownPath: { query.shownPath(of: lookup.target) },
                    policy: .lookups(beside: policy), errors, isNew: isNew, in: context
                ) { try lookup.user($0.body, $1, dialect) }
                state.lookup = endpoint
                return FoundUser(lookup: lookup, query: lookup.resolved(by: user), isRemembered: isRemembered)
            } catch {
                failure = failure ?? error
                if !error.mayLackEndpoint { break }
            }
        }
        throw failure ?? .unusable("there is no look-up")
    }

    /// Fetches tweets; if the upstream does not understand the parameters, once more with other names.
    nonisolated(nonsending) private func tweets(
        _ query: TweetQuery, _ shaping: TweetShaping, _ form: AnswerForm, _ context: FetchContext
    ) async throws(FetchFailure) -> Answer {
        let state = upstream.state
        let known = state.vocabulary % dialect.vocabularies
        let failure: FetchFailure
        do throws(FetchFailure) {
            return try await tweets(query, known, shaping, form, context)
        } catch {
            failure = error
        }
        let other = (known + 1) % dialect.vocabularies
        guard failure.isNotUnderstood, other != known else { throw failure }
        do throws(FetchFailure) {
            let found = try await tweets(query, other, shaping, form, context)
            state.vocabulary = other
            return found
        } catch {
            // If it understands neither, the names are not the reason.
            if error.isNotUnderstood { throw failure }
            if error.isNotFound { state.vocabulary = other }
            throw error
        }
    }

    nonisolated(nonsending) private func tweets(
        _ asked: TweetQuery, _ vocabulary: Int, _ shaping: TweetShaping, _ form: AnswerForm, _ context: FetchContext
    ) async throws(FetchFailure) -> Answer {
        let (dialect, hasKey) = (dialect, hasKey)
        let target = dialect.target(for: asked, vocabulary: vocabulary)
        let request = DocumentRequest(
            to: upstream, asked.kind, target: target, shownPath: { asked.shownPath(of: target) }, policy: policy,
            errors: errors
        ) {
            let link = $0.headers["Link"]
            let document = try dialect.normalize(
                $0.body, answering: asked, link: link, hasKey: hasKey, options: $1)
            return ReadDocument { document.shaped(shaping) }
        }
        return try await request.answer(form, in: context)
    }

    private var errors: ErrorReader {
        let (dialect, hasKey) = (dialect, hasKey)
        return ErrorReader(
            "tweets",
            explain: { response in
                if let refusal = dialect.refusal(in: response.body, status: response.status, hasKey: hasKey) {
                    return (refusal.message, refusal.status)
                }
                return (nil, dialect.meaning(of: response.status))
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

extension RequestKind {
    /// The kinds of requests for tweets, and for the ids of their users.
    static let ofTweets = [tweet, timeline, search, lookup]
    static let tweet = RequestKind("tweet", rank: 1)
    static let timeline = RequestKind("timeline", rank: 2)
    static let search = RequestKind("search", rank: 3)
    static let lookup = RequestKind("lookup", rank: 4)
}

extension TweetQuery {
    /// Returns the path of a target for the query as logs name it: without the id, the name or the hashtag.
    fileprivate func shownPath(of target: String) -> String {
        let value =
            switch self {
            case .tweet(let value), .timeline(let value, _, _), .search(let value, _, _): value
            }
        return target.path { segment in
            let text = PercentCoding.decodeLeniently(String(segment))
            return text == value || "#" + text == value
        }
    }

    fileprivate var kind: RequestKind {
        switch self {
        case .tweet: .tweet
        case .timeline: .timeline
        case .search: .search
        }
    }
}
