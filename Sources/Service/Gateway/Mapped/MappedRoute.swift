package import Settings
import API
import EventLoop
import HTTPClient
import HTTPCore
import JSONText
import Records
import Operations
import Proxy

/// A route of the configuration, compiled.
struct MappedRoute: Sendable {
    let description: RouteDescription
    let parameters: ConfiguredParameters
    /// The most milliseconds in the queue of an upstream; nil for those of all routes.
    let maximumQueue: Int?
    fileprivate let source: Source
    /// The rules that make the answer of parts, and the schema of every answer.
    fileprivate let rules: AnswerRules
    private let shaping: MappedShaping
    /// The path below which a proxy serves the route.
    private let pathPrefix: String

    /// Where the document of an answer comes from.
    fileprivate enum Source: Sendable {
        case list(FetchList)
        case parts(PartsPlan)
    }

    /// Compiles a route, which has `deadline` unless it sets another one; with a fault, the route must not be used.
    init(
        _ settings: RouteConfiguration, deadline: Duration, showsUpstream: Bool = false, pathPrefix: String = "",
        _ note: SettingNotes<RouteConfiguration> = SettingNotes()
    ) {
        settings.check(note)
        (self.pathPrefix, maximumQueue) = (pathPrefix, settings.maximumQueueMilliseconds)
        let name = settings.knownName
        let parameters = ConfiguredParameters(settings.parameters ?? [:], path: RouteTemplate(settings.path), note)
        self.parameters = parameters
        let own = FetchRules(settings.rules, parameters, note.included(\.rules))
        var common = FetchList.Common(name: name, parameters: parameters, rules: own)
        if settings.parts != nil {
            common.rules = FetchRules(answer: .verbatim, error: own.error, statuses: own.statuses, next: own.next)
            source = .parts(PartsPlan(settings, common, note))
            rules = own.answer
        } else {
            common.passedFields = settings.passedFields()
            common.takesOthers = settings.otherParameters != nil
            let entries = settings.entriesOfFetch(note)
            if entries.isEmpty { note(\.fetch, "must have an entry, unless there are parts") }
            let list = FetchList(entries, TemplateNames(parameters: parameters.names), common)
            source = .list(list)
            rules = list.fetches.first?.rules.answer ?? .standard
        }
        let passed = Set(source.fetches.flatMap(\.request.passed).map(\.parameter))
        for name in parameters.credentials where !passed.contains(name) {
            note[\.parameters, name](\.credential, "needs {\(name)} in `headers` or `query` of a request")
        }
        var cache = CacheRouteConfiguration(defaultSeconds: 60, ceilingSeconds: 86_400, staleIfErrorSeconds: 86_400)
        if let given = settings.cache { cache.take(given) }
        shaping = MappedShaping(rules, settings.options, showsUpstream: showsUpstream)
        var description = RouteDescription(
            name, settings.path, tag: settings.tags?.first ?? "routes", settings.summary ?? settings.path,
            answer: .document(schema: rules.schema(isWhole: !shaping.hasFields), of: name, shaping.hasExplain))
        description.details = settings.description
        description.otherTags = Array((settings.tags ?? []).dropFirst())
        description.source = .documents
        description.requestKinds = [name]
        description.parameters = parameters.specs + shaping.specs
        description.fields =
            (source.fetches.contains { $0.rules.next != nil } ? [.link] : [])
            + (source.hasOptionalParts ? [.parts] : [])
            + (settings.passHeaders ?? []).map { name in
                let field = settings.parts == nil ? name[...] : name.drop { $0 != "." }.dropFirst()
                return AnswerField(String(field), "As the upstream sends the field.")
            }
        if case .list(let list) = source, list.fetches.contains(where: { $0.rules.empty == nil }) {
            description.otherAnswers = [.init("", status: Status.noContent.code, "The upstream has nothing.")]
        }
        description.problems = [.invalidParameters]
        for (kind, statuses) in source.problems(obeysClients: cache.policy.countsClientDirectives)
        where !statuses.isEmpty {
            description.problems.append(kind)
            description.problemStatuses[kind] = statuses
        }
        description.takesOtherParameters = settings.otherParameters != nil
        description.credentials = parameters.credentials
        description.deadline = settings.deadlineMilliseconds.map { .milliseconds($0) } ?? deadline
        description.cachePolicy = cache.policy
        self.description = description
    }

    /// The requests to upstreams, of all parts one after another.
    var fetches: [MappedFetch] { source.fetches }

    /// The expressions and the paths by which the route reads documents of upstreams.
    var readings: [(expression: String, path: [String?])] {
        guard case .parts(let plan) = source else { return fetches.flatMap(\.readings) }
        return fetches.flatMap(\.readings) + plan.readings + rules.readings.map(PartsPlan.ofPart)
    }

    /// The names of the upstreams in the order of failover, for each part if there are parts.
    var upstreams: [(part: String?, upstreams: [String])] {
        switch source {
        case .list(let list): [(nil, list.fetches.map(\.upstream))]
        case .parts(let plan): plan.parts.map { ($0.name, $0.list.fetches.map(\.upstream)) }
        }
    }

    /// Whether the route can answer with these upstreams alone, because the others lack a key.
    func canAnswer(with upstreams: [MappedUpstream]) -> Bool {
        guard case .parts(let plan) = source else { return !upstreams.isEmpty }
        return !upstreams.isEmpty
            && plan.parts.enumerated().allSatisfy { index, part in
                part.isOptional || upstreams.contains { $0.part == index }
            }
    }

    /// Returns the route that answers with these upstreams, through the paths that `path` gives them.
    ///
    /// The parts of an answer have at most `maximumBytes` together.
    func route(
        _ upstreams: [MappedUpstream], maximumBytes: Int,
        path: ([MappedUpstream]) -> Upstreams<MappedUpstream>
    ) -> Route {
        let (plan, list): (PartsPlan, FetchList?) =
            switch source {
            case .list(let list): (PartsPlan(list), list)
            case .parts(let plan): (plan, nil)
            }
        let ofParts = plan.parts.indices.map { part in path(upstreams.filter { $0.part ?? 0 == part }) }
        let expectation = PartsMemory.Expectation()
        let fetch: @Sendable (MappedQuestion, Route.Call) async throws(Problem) -> PartsFetch = {
            [description] question, call throws(Problem) in
            let end = call.context.clock.now() + (description.deadline ?? .zero)
            return PartsFetch(
                plan: plan, upstreams: ofParts, question: question, call: call.client,
                memory: try await ofParts.memory(expectation, for: call.client, until: end), end: end,
                maximumBytes: maximumBytes)
        }
        return Route(
            description,
            read: { [self] call throws(Problem) in
                let target = call.request.target
                return try question(call.parameters, rawPath: pathPrefix + target.rawPath, pairs: target.query.pairs)
            },
            respond: { [self] question, call throws(Problem) in
                let response =
                    if let list { try await answer(question, list, ofParts[0], to: call, fetch) } else {
                        try await answer(question, fetch(question, call))
                    }
                return question.credentials.isEmpty ? response : response.forClientAlone
            })
    }

    private func answer(
        _ question: MappedQuestion, _ list: FetchList, _ upstreams: Upstreams<MappedUpstream>, to call: Route.Call,
        _ fetch: @Sendable (MappedQuestion, Route.Call) async throws(Problem) -> PartsFetch
    ) async throws(Problem) -> Response {
        do throws(Problem) {
            if list.fetches.first?.pages == nil {
                return try await upstreams.answer(question, answerForm(of: question, list), to: call.client)
            }
            let fetch = try await fetch(question, call)
            let document = try await fetch.document(list, upstreams, question.requests, question.form, until: fetch.end)
            defer { withExtendedLifetime(fetch.memory) {} }
            let first = document.pages[0]
            if document.takeCount() { first.upstream.note(document.drift, route: description.template.text) }
            let fields = list.fields(of: first, question)
            return await FetchPath.answer(
                ShapedDocument(body: document.body, drift: document.drift, fields: fields), of: document.pages,
                isComplete: true, source: first.source,
                form(.init(route: description.name), explanation: question.form.explanation), to: call.client)
        } catch {
            guard let fallback = list.fallback else { throw error }
            let failed = upstreams.sources.map(\.upstream.name)
            var response = Response(
                headers: [("Content-Type", "application/json"), (AnswerField.cacheControl.name, "no-store")],
                body: Self.fixedAnswer(fallback, question.form, failed: failed))
            error.cacheNote?.add(to: &response)
            return response
        }
    }

    private func answer(_ question: MappedQuestion, _ fetch: PartsFetch) async throws(Problem) -> Response {
        let parts = try await fetch.parts()
        // Until the answer is made.
        defer { withExtendedLifetime(fetch.memory) {} }
        let answer = try await fetch.upstreams.reading(
            parts, maximumBytes: fetch.maximumBytes, for: fetch.call, until: fetch.end
        ) { [rules] text, options in
            try rules.read(text, question.form, options)
        }
        parts.countDrift(of: answer.drift, rules.readings, route: description.template.text)
        return await FetchPath.answer(
            parts.completed(answer), of: parts.documents, isComplete: parts.isComplete, source: parts.source,
            form(MappedForm.Key(route: description.name), explanation: question.form.explanation), to: fetch.call)
    }

    /// Returns the answer that a document becomes, or an object of the parts.
    func document(
        _ text: [UInt8], _ question: MappedQuestion, _ options: JSONOptions
    ) throws -> ShapedDocument {
        guard case .list(let list) = source, let fetch = list.fetches.first, fetch.pages == nil else {
            return try rules.read(text, question.form, options)
        }
        return try fetch.document(IncomingResponse(body: text), question, options)
    }

    /// Reads the parameters of a request.
    /// - Throws: `Problem` naming every invalid parameter.
    func question(
        _ parameters: Parameters, rawPath: String, pairs: [(name: String, value: String)]
    ) throws(Problem) -> MappedQuestion {
        var parameters = parameters
        var question = MappedQuestion()
        question.form = shaping.read(&parameters)
        question.form.parameters = self.parameters.read(&parameters)
        question.credentials = self.parameters.readCredentials(&parameters)
        try parameters.finish()
        if !parameters.others.isEmpty {
            question.form.others = parameters.others.without(description.parameters.map { QueryName($0.name) })
        }
        let secret = self.parameters.credentials.map { QueryName($0) }
        (question.rawPath, question.pairs) = (rawPath, secret.isEmpty ? pairs : pairs.without(secret))
        do throws(RequestTemplate.Fault) {
            // No upstream is asked with a request that cannot be made.
            let values = TemplateValues(question.form.parameters)
            switch source {
            case .list(let list): question.requests = try list.requests(values)
            case .parts(let plan): question.parts = try plan.requests(values)
            }
        } catch {
            if error.isAbsence { throw Problem(error) }
            throw Problem(.invalidParameters, "The parameters make no request: \(error.detail).")
        }
        return question
    }

    /// Returns the fixed answer of a route whose upstreams have failed, with the fields that a client wants.
    private static func fixedAnswer(_ body: [UInt8], _ form: MappedForm, failed: [String]) -> [UInt8] {
        let selected = form.selecting(of: body)
        guard form.explanation != .none else { return selected }
        return ShapedDocument(body: selected, drift: DriftReport())
            .explained(source: DocumentSource(dialect: "json", failed: failed))
    }

    /// The form of the answer: all that it depends on, besides the upstream's document.
    private func answerForm(of question: MappedQuestion, _ list: FetchList) -> AnswerForm {
        let form = question.form
        var key = MappedForm.Key(route: description.name)
        key.take(list, form.parameters)
        (key.dates, key.fields) = (form.dates, form.fields?.map(Name.init(text:)))
        if list.fetches.contains(where: { $0.rules.next != nil }) {
            // A link to the next page repeats the request.
            key.page = ([question.rawPath] + question.pairs.flatMap { [$0.name, $0.value] }).map(Name.init(text:))
        }
        return self.form(key, explanation: form.explanation)
    }

    /// Returns a form, with Vary if a parameter is a header field.
    private func form(_ key: MappedForm.Key, explanation: Explanation) -> AnswerForm {
        let names = parameters.fields.joined(separator: ", ")
        if names.isEmpty, parameters.credentials.isEmpty {
            return AnswerForm(FormOf(key, textBytes: key.textBytes), explanation: explanation)
        }
        return AnswerForm(
            FormOf(key, textBytes: key.textBytes), explanation: explanation, dependsOnTargetAlone: false
        ) { _ in names.isEmpty ? [] : [("Vary", names)] }
    }
}

extension Response {
    /// The response, which no cache may give to other clients (RFC 9111 §5.2.2.7).
    fileprivate var forClientAlone: Response {
        var response = self
        let name = AnswerField.cacheControl.name, former = headers.first { $0.name == name }?.value
        response.headers.removeAll { $0.name == name }
        response.headers.append((name, former.map { "private, " + $0 } ?? "private"))
        return response
    }
}

extension Configuration {
    /// The expressions and the paths by which each configured route reads documents, by the route's template.
    package var routeReadings: [(route: String, readings: [(expression: String, path: [String?])])] {
        mappedRoutes.map { ($0.description.template.text, $0.readings) }
    }

    /// Warnings about words in the shapes of routes that are probably not meant.
    var routeWarnings: [String] {
        mappedRoutes.flatMap { route in
            let warnings =
                route.rules.warnings + route.fetches.flatMap(\.rules.answer.warnings)
                + route.source.lists.flatMap(\.warnings)
            return Set(warnings).sorted().map { "the route \(route.description.template.text): \($0)" }
        }
    }
}

extension MappedRoute.Source {
    fileprivate var lists: [FetchList] {
        switch self {
        case .list(let list): [list]
        case .parts(let plan): plan.parts.map(\.list)
        }
    }

    fileprivate var fetches: [MappedFetch] { lists.flatMap(\.fetches) }

    /// The problems of answers, with the statuses that they can have; none for a problem that cannot occur.
    fileprivate func problems(obeysClients: Bool) -> KeyValuePairs<Problem.Kind, [Int]> {
        let (lists, isOfParts) =
            switch self {
            case .list(let list): ([list], false)
            case .parts(let plan): (plan.parts.filter { !$0.isOptional }.map(\.list), true)
            }
        let failing = lists.filter { $0.fallback == nil }.flatMap(\.fetches)
        let passed = failing.reduce(into: Set<Int>()) { $0.formUnion($1.rules.statuses.values) }
        let isConditional = lists.contains { $0.fetches.allSatisfy(\.request.isConditional) }
        func statuses(_ kind: Problem.Kind, _ canOccur: Bool) -> [Int] { canOccur ? kind.statuses : [] }
        let mayFail = isOfParts || !failing.isEmpty
        return [
            .upstreamNotFound: statuses(.upstreamNotFound, passed.contains(404) || isConditional),
            .upstreamRefused: passed.subtracting([404, 429]).sorted(),
            .upstreamRateLimit: failing.isEmpty ? [] : passed.contains(429) ? [429, 503] : [503],
            .upstreamFailed: statuses(.upstreamFailed, mayFail),
            .upstreamTooSlow: statuses(.upstreamTooSlow, mayFail),
            .upstreamUnavailable: statuses(.upstreamUnavailable, mayFail),
            .notInCache: statuses(.notInCache, !failing.isEmpty && obeysClients),
            .lowMemory: statuses(.lowMemory, mayFail),
        ]
    }

    fileprivate var hasOptionalParts: Bool {
        if case .parts(let plan) = self { plan.parts.contains(where: \.isOptional) } else { false }
    }
}
