import Routing
import Upstreams
import Contracts
import HTTPCore
import Records
import Tweets

/// `GET /tweets/{id}`, `/timelines/{screenName}` and `/search?q=`.
struct TweetRoutes: Sendable {
    static let example = "/tweets/1"

    let path: DocumentPath<TweetUpstream>

    var all: [Route] {
        let ids = TweetIDs(dialects: path.failover.upstreams.map(\.dialect))
        return [
            route(.tweet) { call throws(Problem) in
                try TweetRequest(tweet: call.value, ids, call.request.target.query)
            },
            route(.timeline) { call throws(Problem) in
                try TweetRequest(timeline: call.value, ids, call.request.target.query)
            },
            route(.search) { call throws(Problem) in try TweetRequest(search: call.request.target.query, ids) },
        ]
    }

    private func route(
        _ name: RouteName, _ read: @escaping @Sendable (Route.Call) throws(Problem) -> TweetRequest
    ) -> Route {
        Route(name, read: read) { request, call throws(Problem) in
            try await path.answer(request, Self.form(of: request, call), to: call.client)
        }
    }

    /// The form of the answer, with a link to the next page that repeats the client's own parameters.
    private static func form(of request: TweetRequest, _ call: Route.Call) -> AnswerForm {
        let target = String(decoding: call.request.target.rawBytes, as: UTF8.self)
        return AnswerForm(name: target, isExplained: request.isExplained) { document in
            document.nextMaxId.map { [("Link", link(to: $0, from: call))] } ?? []
        }
    }

    /// Returns a link to the same request from `maxId` on (RFC 8288).
    private static func link(to maxId: String, from call: Route.Call) -> String {
        let others = call.request.target.query.pairs.filter { $0.name != "maxId" } + [("maxId", maxId)]
        let query = others.map { pair in
            [pair.name, pair.value].map { PercentCoding.encode($0, allowing: .queryComponent) }.joined(separator: "=")
        }
        return "<\(call.request.target.path)?\(query.joined(separator: "&"))>; rel=\"next\""
    }
}

/// A client's request to one of the tweet routes.
///
/// The initializers throw a `Problem` that names every invalid parameter.
struct TweetRequest: Sendable {
    private static let shapingParameters = ["fields", "dates", "explain"]

    let query: TweetQuery
    var shaping = TweetShaping()
    /// Whether the response lists the repairs and the source of the document.
    var isExplained = false

    init(tweet id: String, _ ids: TweetIDs, _ query: Query) throws(Problem) {
        var parameters = Parameters(query, known: Self.shapingParameters)
        if !ids.contains(id) { parameters.fault("id", "must be \(ids.expectation)") }
        try self.init(.tweet(id: id), Tweet.self, &parameters)
    }

    init(timeline name: String, _ ids: TweetIDs, _ query: Query) throws(Problem) {
        var parameters = Parameters(query, known: ["count", "maxId"] + Self.shapingParameters)
        if !ids.containsName(name) { parameters.fault("screenName", "must be \(ids.nameExpectation)") }
        let (count, maxId) = (parameters.count(), parameters.maxId(ids))
        try self.init(.timeline(screenName: name, count: count, maxId: maxId), Tweet.self, &parameters)
    }

    init(search query: Query, _ ids: TweetIDs) throws(Problem) {
        var parameters = Parameters(query, known: ["q", "count", "maxId"] + Self.shapingParameters)
        let text = parameters.required("q", "a text of at most 500 characters", isASCII: false) { text in
            text.isEmpty || text.count > 500 ? nil : text
        }
        let (count, maxId) = (parameters.count(), parameters.maxId(ids))
        try self.init(.search(text: text ?? "", count: count, maxId: maxId), SearchAnswer.self, &parameters)
    }

    private init<Root: Record>(
        _ query: TweetQuery, _ root: Root.Type, _ parameters: inout Parameters
    ) throws(Problem) {
        self.query = query
        let forms = DateForm.allCases.map(\.rawValue)
        shaping.dates = parameters.choice("dates", among: forms).flatMap(DateForm.init) ?? .iso8601
        shaping.fields = parameters.fields("fields", of: root, example: "id,fullText,user.name")
        isExplained = parameters.flag("explain")
        if !parameters.faults.isEmpty { throw Problem.invalidParameters(parameters.faults) }
    }
}

extension Parameters {
    fileprivate mutating func count() -> Int? {
        value("count", "an integer from 1 to 200") { text in
            PlainNumber.isDigits(text) ? Int(text).flatMap { 1...200 ~= $0 ? $0 : nil } : nil
        }
    }

    fileprivate mutating func maxId(_ ids: TweetIDs) -> String? {
        value("maxId", ids.expectation) { ids.contains($0) ? $0 : nil }
    }
}

/// The ids of tweets and the names of users that at least one upstream can have: numbers and short words at Twitter, any text
/// and addresses at servers that are compatible with Mastodon.
struct TweetIDs: Sendable {
    let dialects: [TweetDialect]

    var expectation: String {
        isAnyText ? "an id: letters, digits, - and _, at most 64" : "an id: at most 19 digits"
    }

    func contains(_ text: String) -> Bool {
        text.isASCII && text.wholeMatch(of: /[A-Za-z0-9_\-]{1,64}/) != nil && dialects.contains { $0.isID(text) }
    }

    var nameExpectation: String {
        dialects.contains { $0.isName("weir@example.com") }
            ? "a name: letters, digits, _, -, . and one @, at most 100" : "a name: letters, digits and _, at most 15"
    }

    func containsName(_ text: String) -> Bool { text.isASCII && dialects.contains { $0.isName(text) } }

    private var isAnyText: Bool { dialects.contains { $0.isID("a") } }
}
