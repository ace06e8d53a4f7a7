import API
import Contracts
import HTTPClient
import HTTPCore
import JMESPath
import JSONText
import Mapping
import Proxy
import Records
import Settings

/// How a mapping asks its upstream, and how the documents become one of the contract: one request, or several parts of which
/// the last one is the document that the cache keeps the answer by.
struct MappingPlan: Sendable {
    /// A request, and how its own document is read.
    struct Part: Sendable {
        let name: String
        let request: MappedRequest
        let rules: FetchRules
        let isOptional: Bool
        /// The names of the parts that its templates read.
        let needs: Set<String>
    }

    /// The parts in the order in which they are asked.
    let parts: [Part]
    /// How the document becomes that of the contract.
    let answer: AnswerRules
    /// The expressions of values by their paths in the contract's names.
    private let origins: [String: String]
    /// Where the document has the value for the next page; nil for none.
    let next: JMESPath?
    /// The names that templates and the shape know.
    let names: Set<String>

    private static let maximumParts = 8
    /// The most bytes of a part before the last one: these are read where requests are made, beside all other clients.
    private static let maximumPartBytes = 1 << 20
    /// The decimals of converted numbers by their dimensions.
    private static let decimals = Dictionary(
        uniqueKeysWithValues: Units.Dimension.ofWeather.map { ($0.name, $0.places) })

    /// Compiles the settings of one kind of request; nil with a fault.
    init?(
        _ settings: MappedRequestConfiguration, names: Set<String>, shapes: [String: JSONValue] = [:], error: String?,
        schema: (inout SchemaComponents) -> JSONValue, _ note: SettingNotes<MappedRequestConfiguration>
    ) {
        self.names = names
        let faults = note.faults.list.count
        var requests: [Part] = []
        if let fetch = settings.fetch {
            let noteFetch = note[\.fetch]
            Self.check(fetch, isPart: false, noteFetch)
            let request = MappedRequest(fetch, names: TemplateNames(parameters: names), credentials: [], noteFetch)
            let rules = Self.rules(answer: nil, error: settings.error ?? error) {
                noteFetch.included(\.rules)(\.error, $0)
            }
            requests = [Part(name: "", request: request, rules: rules, isOptional: false, needs: [])]
            if settings.parts != nil { note(\.fetch, "must be left out: there are parts") }
        }
        let elements = settings.parts?.elements ?? []
        if settings.fetch == nil, elements.isEmpty { note(\.fetch, "is missing: it takes a request") }
        let optional = Set(elements.filter { $0.value.elements.first?.optional == true }.map(\.name))
        if !elements.isEmpty, optional.count == elements.count {
            note(\.parts, "must have a part that is not optional, which is the document")
        }
        if elements.count > Self.maximumParts { note(\.parts, "must have at most \(Self.maximumParts) parts") }
        let known = Set(elements.map(\.name))
        for (name, part) in elements {
            if names.contains(name) { note(\.parts, at: ".\(name)", "has the name of a value that requests have") }
            if let fault = PartsPlan.fault(ofName: name) { note(\.parts, at: ".\(name)", fault) }
            guard !part.isList, let options = part.elements.first else {
                note(\.parts, at: ".\(name)", "must be one request: a mapping has one upstream")
                continue
            }
            let inner = note[\.parts, name, 0, of: part]
            let misplaced: [(PartialKeyPath<PartConfiguration>, isSet: Bool)] = [
                (\.fetch, options.fetch != nil), (\.each, options.each != nil),
                (\.maximumEach, options.maximumEach != nil),
                (\.deadlineMilliseconds, options.deadlineMilliseconds != nil),
            ]
            for (setting, isSet) in misplaced where isSet { inner(setting, "must be left out in a mapping") }
            let noteEntry = inner.included(\.entry)
            Self.check(options.entry, isPart: true, noteEntry)
            let request = MappedRequest(
                options.entry, names: TemplateNames(parameters: names, parts: known), credentials: [], noteEntry)
            let noteRules = noteEntry.included(\.rules)
            let shape = options.entry.rules.answer.flatMap { answer in
                AnswerRules(answer: answer, parameters: names) { noteRules(\.answer, at: $0, $1) }
            }
            let rules = Self.rules(answer: shape, error: options.entry.rules.error ?? settings.error ?? error) {
                noteRules(\.error, $0)
            }
            requests.append(
                Part(
                    name: name, request: request, rules: rules, isOptional: options.optional ?? false,
                    needs: request.usedNames.intersection(known)))
        }
        for part in requests {
            for name in part.needs.intersection(optional).sorted() {
                note(
                    \.parts, at: ".\(name)",
                    "must not be optional: \(part.name.isEmpty ? "another part" : part.name) needs it")
            }
        }
        let needs = requests.map { part in requests.indices.filter { part.needs.contains(requests[$0].name) } }
        if let cycle = PartsPlan.cycle(in: needs), let first = cycle.first {
            let way = cycle.map { requests[$0].name }.joined(separator: ", which needs ")
            note(\.parts, at: ".\(requests[first].name)", "needs itself: \(way)")
        }
        parts = Self.ordered(requests, needs)
        var answer: AnswerRules?
        if let shape = settings.answer {
            let complete = ContractShape.completed(shape, shapes: shapes, decimals: Self.decimals, schema: schema) {
                note(\.answer, at: $0, $1)
            }
            answer = AnswerRules(answer: complete, parameters: names) { note(\.answer, at: $0, $1) }
        } else {
            note(\.answer, "is missing: it takes a shape")
        }
        var next: JMESPath?
        if let text = settings.next {
            do throws(JMESPathError) { next = try JMESPath(configured: text) } catch { note(\.next, "\(error)") }
        }
        self.next = next
        guard let answer, note.faults.list.count == faults else { return nil }
        (self.answer, origins) = (answer, answer.origins)
    }

    /// Notes the settings of a request that a mapping cannot have.
    private static func check(_ entry: FetchEntry, isPart: Bool, _ note: SettingNotes<FetchEntry>) {
        let rules = entry.rules
        let misplaced: [(PartialKeyPath<FetchEntry>, isSet: Bool)] = [
            (\.upstream, entry.upstream != nil), (\.value, entry.value != nil), (\.pages, entry.pages != nil),
        ]
        for (setting, isSet) in misplaced where isSet { note(setting, "must be left out in a mapping") }
        let ofRoutes: [(PartialKeyPath<DocumentRules>, isSet: Bool)] = [
            (\.edit, rules.edit != nil), (\.statuses, rules.statuses != nil), (\.empty, rules.empty != nil),
            (\.next, rules.next != nil), (\.answer, rules.answer != nil && !isPart),
            (\.error, rules.error != nil && !isPart),
        ]
        for (setting, isSet) in ofRoutes where isSet {
            note.included(\.rules)(setting, "must be left out here in a mapping")
        }
    }

    private static func rules(answer: AnswerRules?, error: String?, _ note: (String) -> Void) -> FetchRules {
        var reason: JMESPath?
        if let error {
            do throws(JMESPathError) { reason = try JMESPath(configured: error) } catch { note("\(error)") }
        }
        return FetchRules(answer: answer ?? .verbatim, error: reason)
    }

    /// Returns the parts so that each one follows those that it needs; of those that no other needs, the last one of the file
    /// that is not optional is the last.
    private static func ordered(_ parts: [Part], _ needs: [[Int]]) -> [Part] {
        let needed = Set(needs.joined())
        let free = parts.indices.filter { !needed.contains($0) }
        let document = free.last { !parts[$0].isOptional } ?? free.last
        var left = parts.indices.filter { $0 != document }, order: [Int] = []
        while let next = left.first(where: { needs[$0].allSatisfy(order.contains) }) {
            order.append(next)
            left.removeAll { $0 == next }
        }
        return (order + (document.map { [$0] } ?? [])).map { parts[$0] }
    }
}

// Asking.
extension MappingPlan {
    /// The request for the document, and the documents of the other parts.
    struct Prepared: Sendable {
        let request: MappedRequest.Filled
        let rules: FetchRules
        /// The parts before the last one, shaped.
        let others: [(name: String, body: [UInt8])]
        /// The name of the last part; empty for the only request.
        let name: String
        /// The path as logs show it.
        let shownPath: String
        /// The optional parts that failed, as repairs.
        let losses: DriftReport

        /// The identity of what is made of the document: it changes with the other parts.
        var identity: String {
            if others.isEmpty { return rules.errorText }
            let text = others.reduce(into: [UInt8]()) { $0 += Array($1.name.utf8) + $1.body }
            return rules.errorText + "\n\(DocumentKey.address(String(decoding: text, as: UTF8.self)))"
        }

        /// Returns the text that the shape reads: the document alone, or an object with all parts.
        func text(with document: [UInt8], _ options: JSONOptions) throws -> [UInt8] {
            if others.isEmpty { return document }
            let shaped = try rules.read(document, options)
            return Self.joined(others + [(name, shaped)])
        }

        /// Returns an object with documents by name.
        static func joined(_ parts: [(name: String, body: [UInt8])]) -> [UInt8] {
            JSONWriter.bytes(expecting: parts.reduce(2) { $0 + $1.body.count + $1.name.utf8.count + 4 }) { writer in
                writer.write(byte: UInt8(ascii: "{"))
                for (index, part) in parts.enumerated() {
                    if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                    writer.write(part.name)
                    writer.write(byte: UInt8(ascii: ":"))
                    writer.write(raw: part.body)
                }
                writer.write(byte: UInt8(ascii: "}"))
            }
        }
    }

    /// Asks for all parts but the last one, one after the other, and returns the request for that.
    ///
    /// A part that others need says where these are, and is kept for a day.
    nonisolated(nonsending) func prepare(
        _ upstream: Upstream, _ values: [String: JSONValue], policy: CachePolicy?,
        meaning: @escaping @Sendable (Int) -> Int?, in context: FetchContext
    ) async throws(FetchFailure) -> Prepared {
        var others: [(name: String, body: [UInt8])] = [], losses = DriftReport()
        let needed = parts.reduce(into: Set<String>()) { $0.formUnion($1.needs) }
        for part in parts.dropLast() {
            do throws(FetchFailure) {
                let request = try filled(part, values, others)
                let errors = ErrorReader(part.rules.errorText) { response in
                    (part.rules.explain(response).message, meaning(response.status))
                }
                let isPlace = needed.contains(part.name)
                // A slow part that nobody needs leaves time for the document.
                let context = part.isOptional ? context.withHalfOfTheTime : context
                let (body, _) = try await upstream.lookUp(
                    .lookup, request.target, content: request.content, shownPath: { part.request.shownPath },
                    policy: isPlace ? .lookups(beside: policy, seconds: 86_400) : policy, errors, in: context
                ) { response, options in try part.rules.read(response.body, options) }
                guard body.count <= Self.maximumPartBytes else {
                    throw .unusable("the part \(part.name) has more than \(Self.maximumPartBytes) bytes")
                }
                others.append((part.name, body))
            } catch {
                guard part.isOptional, !error.isCancellation else { throw error }
                others.append((part.name, Array("null".utf8)))
                losses.noteMissing("parts.\(part.name)", from: part.name)
            }
        }
        guard let last = parts.last else { throw .unusable("the mapping has no request") }
        return Prepared(
            request: try filled(last, values, others), rules: last.rules, others: others, name: last.name,
            shownPath: last.request.shownPath, losses: losses)
    }

    private func filled(
        _ part: Part, _ values: [String: JSONValue], _ others: [(name: String, body: [UInt8])]
    ) throws(FetchFailure) -> MappedRequest.Filled {
        let result: Result<MappedRequest.Filled, any Error> = Result {
            if part.needs.isEmpty { return try part.request.filled(TemplateValues(values)) }
            var parser = JSONParser()
            return try parser.withDocument(Prepared.joined(others)) { root in
                let documents = TemplateValues(values, document: root)
                return try part.request.filled(
                    others.reduce(documents) { $0.adding($1.name, root[$1.name].map { .node($0) } ?? .null) })
            }
        }
        switch result {
        case .success(let filled): return filled
        case .failure(let fault as RequestTemplate.Fault): throw .unusable("no request can be made: \(fault.detail)")
        case .failure: throw .unusable("the other parts cannot be read")
        }
    }
}

extension FetchRules {
    /// Reads the document of a part, which may be an error.
    fileprivate func read(_ body: [UInt8], _ options: JSONOptions) throws -> [UInt8] {
        try ShapedDocument.read(body, options) { root in
            if let refusal = refusal(root) { throw refusal }
            return (try answer.answer(root, MappedForm()), ())
        }.answer.body
    }
}

// Reading.
extension MappingPlan {
    /// The names of the members of queries.
    var queryNames: [String] { parts.flatMap(\.request.namesOfQuery) }

    /// Returns the message in an error of the upstream.
    func errorMessage(_ root: JSONNode) -> String? { parts.last?.rules.message(in: root) }

    /// Makes a document of the contract's names, passes that to `read`, and returns the repairs of both with the paths that
    /// `named` returns.
    func read(
        _ root: JSONNode, _ form: MappedForm, named: (String) -> String?, _ read: (JSONNode) throws -> DriftReport
    ) throws -> DriftReport {
        // The errors of parts are found where these are read.
        if parts.count == 1, let refusal = parts[0].rules.refusal(root) { throw refusal }
        let shaped = try answer.answer(root, form)
        var parser = JSONParser(options: JSONOptions(maximumBytes: .max, maximumDepth: JSONOptions.greatestDepth))
        var drift = try parser.withDocument(shaped.body, read).traced { origins[$0] }
        drift.merge(shaped.drift.renamed(named))
        return drift
    }
}
