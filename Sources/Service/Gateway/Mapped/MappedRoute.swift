import Configuration
import Contracts
import HTTPCore
import JMESPath
import Mapping
import Records
import Routing
import Upstreams

/// A route of the configuration, compiled.
struct MappedRoute: Sendable {
    let description: RouteDescription
    let parameters: ConfiguredParameters
    /// The requests in the order of failover.
    let fetches: [MappedFetch]
    /// The answer if all of them fail; nil for none.
    let fallback: [UInt8]?
    private let shaping: MappedShaping

    /// Compiles a route, which has `deadline` unless it sets another one; with a fault, the route must not be used.
    init(_ settings: RouteConfiguration, deadline: Duration, _ note: SettingNotes<RouteConfiguration> = SettingNotes())
    {
        let template = RouteTemplate(settings.path)
        Self.check(settings.path, note)
        let name = settings.knownName
        if name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_-]{0,63}/) == nil {
            note(
                \.name, "must be 1 to 64 letters, digits, _ and -, a letter first; here it is \(Quotation.quote(name))")
        }
        let parameters = ConfiguredParameters(settings.parameters ?? [:], path: template, note)
        self.parameters = parameters
        let passed = (settings.passHeaders ?? []).map { $0.lowercased() }
        for (index, field) in passed.enumerated() where !Self.mayPass(field) {
            note(
                \.passHeaders, at: "[\(index)]",
                "must be the name of a field without framing, caching, cookies and credentials")
        }
        let own = Rules(
            settings.answer, settings.edit, settings.error, settings.next, parameters.names,
            inQuery: parameters.namesInQuery,
            places: (\.answer, \.edit, \.error), note, note[\.next])
        var fetches: [MappedFetch] = []
        var fallback: [UInt8]?
        let entries = settings.fetch.elements
        if entries.isEmpty { note(\.fetch, "must have an entry") }
        for (index, entry) in entries.enumerated() {
            let note = note[\.fetch, index, of: settings.fetch]
            if let value = entry.value {
                if entry.upstream != nil { note(\.value, "must be left out: there is an upstream") }
                if index != entries.count - 1 || entries.count == 1 {
                    note(\.value, "must be the last entry of a list, behind an upstream")
                }
                fallback = value.text
                continue
            }
            guard let upstream = entry.upstream else {
                note(\.upstream, "is missing: it takes the name of an upstream")
                continue
            }
            let rules = Rules(
                entry.answer, entry.edit, entry.error, entry.next, parameters.names,
                inQuery: parameters.namesInQuery, instead: own,
                places: (\.answer, \.edit, \.error), note, note[\.next])
            fetches.append(
                MappedFetch(
                    upstream: upstream, kind: RequestKind(name),
                    request: MappedRequest(entry, names: parameters.names, note),
                    rules: rules.answer, error: rules.error, next: rules.next, passedFields: passed,
                    checksum: DocumentKey.address(
                        ([rules.answer.text, rules.error?.text ?? "", rules.next?.text ?? ""] + passed)
                            .joined(separator: "\n")),
                    takesOthers: index == 0 && settings.otherParameters != nil))
        }
        (self.fetches, self.fallback) = (fetches, fallback)
        var cache = CacheRouteConfiguration(defaultSeconds: 60, ceilingSeconds: 86_400, staleIfErrorSeconds: 86_400)
        if let given = settings.cache { cache.take(given) }
        if let floor = cache.floorSeconds, let ceiling = cache.ceilingSeconds, floor > ceiling {
            note(\.cache?.floorSeconds, "must be at most ceilingSeconds, which is \(ceiling)")
        }
        let rules = fetches.first?.rules ?? .standard
        shaping = MappedShaping(rules)
        var description = RouteDescription(
            name, settings.path, tag: settings.tags?.first ?? "routes", settings.summary ?? settings.path,
            answer: .document(schema: rules.schema))
        description.details = settings.description
        description.otherTags = Array((settings.tags ?? []).dropFirst())
        description.source = .documents
        description.parameters = parameters.specs + shaping.specs
        description.fields =
            (fetches.contains { $0.next != nil } ? [.link] : [])
            + (settings.passHeaders ?? []).map { AnswerField($0, "As the upstream sends the field.") }
        description.problems = [.invalidParameters] + Problem.Kind.ofUpstreams
        description.takesOtherParameters = settings.otherParameters != nil
        description.deadline = settings.deadlineMilliseconds.map { .milliseconds($0) } ?? deadline
        description.cachePolicy = cache.policy
        self.description = description
    }

    /// Returns the route that answers through `path`.
    func route(_ path: DocumentPath<MappedUpstream>) -> Route {
        Route(description) { [self] call throws(Problem) in
            try question(call.parameters, rawPath: call.request.target.rawPath, pairs: call.request.target.query.pairs)
        } respond: { [self] question, call throws(Problem) in
            let form = answerForm(of: question)
            do throws(Problem) {
                return try await path.answer(question, form, to: call.client)
            } catch {
                guard let fallback else { throw error }
                let failed = path.failover.upstreams.map(\.upstream.name)
                var response = Response(
                    headers: [("Content-Type", "application/json"), (AnswerField.cacheControl.name, "no-store")],
                    body: Self.fixedAnswer(fallback, question.form, failed: failed))
                error.cacheNote?.add(to: &response)
                return response
            }
        }
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
        try parameters.finish()
        question.form.others = parameters.others
        (question.rawPath, question.pairs) = (rawPath, pairs)
        do throws(RequestTemplate.Fault) {
            // No upstream is asked with a request that cannot be made.
            for fetch in fetches { question.requests.append(try fetch.request.filled(question.form.parameters)) }
        } catch {
            throw Problem(.invalidParameters, "The parameters make no request: \(error.detail).")
        }
        return question
    }

    /// Returns the fixed answer of a route whose upstreams have failed, with the fields that a client wants.
    private static func fixedAnswer(_ body: [UInt8], _ form: MappedForm, failed: [String]) -> [UInt8] {
        let selected = form.fields.flatMap { try? AnswerRules.selecting($0, of: body) } ?? body
        guard form.isExplained else { return selected }
        return ShapedDocument(body: selected, drift: DriftReport())
            .explained(source: DocumentSource(dialect: "json", failed: failed))
    }

    /// The form of the answer: all that it depends on, besides the upstream's document.
    private func answerForm(of question: MappedQuestion) -> AnswerForm {
        let form = question.form
        let used = Set(fetches.flatMap(\.rules.parameters))
        let values = form.parameters.filter { used.contains($0.key) }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\(String(decoding: $0.value.json.text, as: UTF8.self))" }
        let rules = fetches.map { String($0.checksum, radix: 36) }
        // A link to the next page repeats the request.
        let pages =
            fetches.contains { $0.next != nil }
            ? [question.rawPath] + question.pairs.map { "\($0.name)=\($0.value)" } : []
        var answer = AnswerForm(
            name: ([description.name] + rules + values + [
                form.dates?.rawValue ?? "", form.fields?.joined(separator: ",") ?? "",
            ]
                + pages).joined(separator: "\n"),
            isExplained: form.isExplained)
        let fields = parameters.fields
        if !fields.isEmpty {
            answer.dependsOnTargetAlone = false
            answer.fields = { _ in [("Vary", fields.joined(separator: ", "))] }
        }
        return answer
    }
}

/// The rules of a route or of an entry of `fetch`.
private struct Rules {
    let answer: AnswerRules
    let error: JMESPath?
    let next: NextPageRule?

    /// Compiles the settings; those that are absent are the ones of `instead`.
    init<Settings: Record>(
        _ answer: JSONValue?, _ edit: EditConfiguration?, _ error: String?, _ next: NextConfiguration?,
        _ names: Set<String>, inQuery: Set<String>, instead: Rules? = nil,
        places: (
            answer: PartialKeyPath<Settings>, edit: PartialKeyPath<Settings>, error: PartialKeyPath<Settings>
        ), _ note: SettingNotes<Settings>, _ noteNext: SettingNotes<NextConfiguration>
    ) {
        var rules: AnswerRules?
        if let answer {
            rules = AnswerRules(answer: answer, parameters: names) { note(places.answer, at: $0, $1) }
        }
        if let edit {
            if answer != nil { note(places.edit, "must be left out: there is an answer") }
            rules = rules ?? AnswerRules(edit: edit) { note(places.edit, at: $0, $1) }
        }
        self.answer = rules ?? instead?.answer ?? .standard
        var reason = instead?.error
        if let error {
            do throws(JMESPathError) { reason = try JMESPath(error) } catch { note(places.error, "\(error)") }
        }
        self.error = reason
        self.next = next.flatMap { NextPageRule($0, names: names, inQuery: inQuery, noteNext) } ?? instead?.next
    }
}

extension MappedRoute {
    /// Fields of an upstream's response that clients never get.
    private static let privateFields: Set = [
        "age", "alt-svc", "authentication-info", "cache-control", "cache-status", "connection", "content-encoding",
        "content-length", "content-location", "content-range", "content-type", "date", "etag", "expires",
        "keep-alive", "last-modified", "pragma", "retry-after", "set-cookie", "set-cookie2",
        "strict-transport-security",
        "link", "te", "trailer", "transfer-encoding", "upgrade", "vary", "via", "weir-drift", "www-authenticate",
        "x-request-id",
    ]

    fileprivate static func mayPass(_ field: String) -> Bool {
        MappedRequest.isFieldName(field) && !privateFields.contains(field) && !field.hasPrefix("proxy-")
            && !field.hasPrefix("access-control-") && !MappedRequest.reservedFields.contains(field)
    }

    private static func check(_ path: String, _ note: SettingNotes<RouteConfiguration>) {
        if !path.hasPrefix("/") || path.hasSuffix("/") { return note(\.path, "must start with / and not end with it") }
        if path.hasPrefix("/-/") { note(\.path, "must not start with /-/, which is reserved") }
        let template = RouteTemplate(path)
        for segment in template.segments {
            switch segment {
            case .literal(let bytes):
                let text = String(decoding: bytes, as: UTF8.self)
                if text.wholeMatch(of: /[A-Za-z0-9._~!$&'()*+,;=:@-]+/) == nil || text == "." || text == ".." {
                    note(
                        \.path,
                        "has the segment \(Quotation.quote(text)); a segment is a {parameter}, or characters of a path without escapes"
                    )
                }
            case .parameter(let name):
                if template.parameters.filter({ $0 == name }).count > 1 { note(\.path, "has {\(name)} twice") }
            }
        }
    }
}

/// The parameters `fields`, `dates` and `explain` of a configured route.
struct MappedShaping: Sendable {
    private let fields: Parameter<[String]>
    private let dates: Parameter<DateForm>?
    private let explain = ShapingParameters.explain

    init(_ rules: AnswerRules) {
        fields = Parameter(
            ShapingParameters.fieldsName,
            .paths { paths in rules.unknown(paths) }, orElse: "all", "The fields to keep, by their names in the answer."
        )
        dates = rules.hasDates ? ShapingParameters.dates(orElse: "as the route writes them") : nil
    }

    var specs: [ParameterSpec] { [fields.spec] + (dates.map { [$0.spec] } ?? []) + [explain.spec] }

    func read(_ parameters: inout Parameters) -> MappedForm {
        var form = MappedForm()
        form.fields = parameters.read(fields)
        form.dates = dates.flatMap { parameters.read($0) }
        form.isExplained = parameters.read(explain) ?? false
        return form
    }
}

extension RouteConfiguration {
    /// The name, which is the path in camelCase unless it is set: `stationsStationObservation`.
    var knownName: String {
        if let name { return name }
        let words = path.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.enumerated().map { index, word in
            index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }.joined()
    }
}
