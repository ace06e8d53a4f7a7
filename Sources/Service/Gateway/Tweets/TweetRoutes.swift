import API
import HTTPCore
import Records
import Contracts
import Proxy
import Settings

/// `GET /tweets/{id}`, `/timelines/{screenName}` and `/search?q=`.
struct TweetRoutes: Sendable {
    private let upstreams: Upstreams<TweetUpstream>
    private let parameters: TweetParameters
    /// The path below which a proxy serves the routes.
    private let pathPrefix: String

    /// The routes to upstreams of these dialects.
    init(upstreams: Upstreams<TweetUpstream>, dialects: [TweetDialect], _ server: ServerConfiguration) {
        (self.upstreams, pathPrefix) = (upstreams, server.pathPrefix)
        parameters = TweetParameters(dialects, showsUpstream: server.showsUpstream)
    }

    var all: [Route] {
        Kind.allCases.map { kind in
            Route(kind.description(parameters)) { call throws(Problem) in
                try TweetRequest(kind, call.parameters, parameters)
            } respond: { request, call throws(Problem) in
                try await upstreams.answer(request, form(of: request, call), to: call.client)
            }
        }
    }

    /// The form of the answer, with a link to the next page that repeats the client's own parameters.
    private func form(of request: TweetRequest, _ call: Route.Call) -> AnswerForm {
        // The bytes of the whole target: the link repeats every parameter.
        let target = Array(pathPrefix.utf8) + call.request.target.rawBytes
        return AnswerForm(FormOf(target, textBytes: target.count), explanation: request.explanation) { document in
            document.nextMaxId.map { maxId in
                let link = WebLink.next(
                    path: pathPrefix + call.request.target.rawPath, call.request.target.query.pairs,
                    parameters.maxId.spec.name, maxId)
                return [(AnswerField.link.name, link)]
            } ?? []
        }
    }
}

extension TweetRoutes {
    /// The routes.
    fileprivate enum Kind: CaseIterable {
        case tweet, timeline, search

        func description(_ parameters: TweetParameters) -> RouteDescription {
            var description =
                switch self {
                case .tweet:
                    RouteDescription(
                        "tweet", "/tweets/{id}", tag: "tweets", "One tweet",
                        answer: .document(of: Tweet.self, dates: .iso8601))
                case .timeline:
                    RouteDescription(
                        "timeline", "/timelines/{screenName}", tag: "tweets", "The tweets of a user, newest first",
                        answer: .document(of: [Tweet].self, dates: .iso8601))
                case .search:
                    RouteDescription(
                        "search", "/search", tag: "tweets", "The tweets that match a text",
                        answer: .document(of: SearchAnswer.self, dates: .iso8601))
                }
            description.source = .documents
            description.requestKinds = [description.name, RequestKind.lookup.name]
            description.parameters = specs(parameters)
            if self != .tweet { description.fields = [.link] }
            description.problems = [.invalidParameters] + Problem.Kind.ofUpstreams
            description.isExample = self == .tweet
            return description
        }

        private func specs(_ parameters: TweetParameters) -> [ParameterSpec] {
            switch self {
            case .tweet: [parameters.id.spec] + parameters.shaping.specs
            case .timeline:
                [parameters.screenName.spec, parameters.count.spec, parameters.maxId.spec] + parameters.shaping.specs
            case .search:
                [parameters.text.spec, parameters.count.spec, parameters.maxId.spec]
                    + parameters.searchShaping.specs
            }
        }
    }
}

/// The parameters of requests for tweets, for upstreams of certain dialects.
///
/// Ids and names are numbers and short words at Twitter, any text and addresses at servers that are compatible with
/// Mastodon.
struct TweetParameters: Sendable {
    let id, maxId, screenName: Parameter<String>
    let text = Parameter(
        "q", .text(atMost: 500), isRequired: true, "The text, in the upstream's query syntax.", example: "rain")
    let count = Parameter(
        "count", .integer(in: 1...200), orElse: "the upstream's",
        "The number of tweets; the upstream may send fewer.", example: "20")
    let shaping, searchShaping: ShapingParameters

    init(_ dialects: [TweetDialect], showsUpstream: Bool) {
        shaping = ShapingParameters(
            of: Tweet.self, example: "id,fullText,user.name", dates: .iso8601, showsUpstream: showsUpstream)
        searchShaping = ShapingParameters(
            of: SearchAnswer.self, example: "statuses.id,statuses.fullText", dates: .iso8601,
            showsUpstream: showsUpstream)
        let idType = Self.idType(dialects)
        id = Parameter("id", idType, in: .path, "The id of the tweet.", example: "1")
        maxId = Parameter(
            "maxId", Self.pageStartType(dialects) ?? idType, orElse: "the newest", "The id at which the page starts.")
        screenName = Parameter(
            "screenName", Self.nameType(dialects), in: .path,
            "The name of the user, which may contain a server: weir@example.com.", example: "weir")
    }

    /// The longest id and the longest cursor of a mapping, in bytes.
    private static let longest = MappedTweetRules.longestID

    /// The type of ids: with mappings, an id of any upstream.
    private static func idType(_ dialects: [TweetDialect]) -> ParameterType<String> {
        let others = dialects.filter { $0.mapping == nil }
        let isAnyText = others.contains { $0.isID("a") }
        var patterns = others.isEmpty ? [] : [isAnyText ? "^[A-Za-z0-9_-]{1,64}$" : "^[0-9]{1,19}$"]
        let mapped = Set(dialects.compactMap(\.mapping?.rules.idPattern)).subtracting(patterns).sorted()
        let read: @Sendable (String) -> String? = { text in dialects.contains { $0.isID(text) } ? text : nil }
        if mapped.isEmpty {
            return ParameterType(
                isAnyText ? "an id: letters, digits, - and _, at most 64" : "an id: at most 19 digits",
                schema: ["type": "string", "pattern": .string(patterns.joined())], convert: read)
        }
        patterns += mapped
        let pattern = patterns.count == 1 ? patterns[0] : patterns.map { "(?:\($0))" }.joined(separator: "|")
        return ParameterType(
            "an id of an upstream, at most \(longest) bytes",
            schema: ["type": "string", "maxLength": .number("\(longest)"), "pattern": .string(pattern)],
            isASCII: false, convert: read)
    }

    /// The type of the starts of pages: with mappings, also the cursors of upstreams; nil without mappings.
    private static func pageStartType(_ dialects: [TweetDialect]) -> ParameterType<String>? {
        if dialects.allSatisfy({ $0.mapping == nil }) { return nil }
        return ParameterType(
            "an id or a cursor of an upstream, at most \(longest) bytes",
            schema: ["type": "string", "minLength": 1, "maxLength": .number("\(longest)")], isASCII: false
        ) { text in dialects.contains { $0.isPageStart(text) } ? text : nil }
    }

    private static func nameType(_ dialects: [TweetDialect]) -> ParameterType<String> {
        let hasServers = dialects.contains { $0.isName("weir@example.com") }
        return ParameterType(
            hasServers
                ? "a name: letters, digits, _, -, . and one @, at most 100"
                : "a name: letters, digits and _, at most 15",
            schema: [
                "type": "string", "maxLength": hasServers ? 100 : 15,
                "pattern": hasServers ? "^[A-Za-z0-9_.-]+(@[A-Za-z0-9_.-]+)?$" : "^[A-Za-z0-9_]+$",
            ]
        ) { text in dialects.contains { $0.isName(text) } ? text : nil }
    }
}

/// A client's request to one of the tweet routes.
struct TweetRequest: Sendable {
    let query: TweetQuery
    var shaping = TweetShaping()
    /// The parts of the answer beside the document.
    var explanation = Explanation.none

    /// Reads the parameters of a route.
    /// - Throws: `Problem` naming every invalid parameter.
    fileprivate init(_ kind: TweetRoutes.Kind, _ parameters: Parameters, _ known: TweetParameters) throws(Problem) {
        var parameters = parameters
        switch kind {
        case .tweet: query = .tweet(id: parameters.read(known.id) ?? "")
        case .timeline:
            query = .timeline(
                screenName: parameters.read(known.screenName) ?? "", count: parameters.read(known.count),
                maxId: parameters.read(known.maxId))
        case .search:
            query = .search(
                text: parameters.read(known.text) ?? "", count: parameters.read(known.count),
                maxId: parameters.read(known.maxId))
        }
        let shaped = kind == .search ? known.searchShaping : known.shaping
        shaping.dates = parameters.read(shaped.dates) ?? .iso8601
        shaping.fields = parameters.read(shaped.fields)?.selection
        explanation = parameters.read(shaped.explain) ?? .none
        try parameters.finish()
    }
}
