import API
import JMESPath
import JSONText
import Proxy
import Records
import Settings

/// The parts of an answer, and which of them need the documents of others.
struct PartsPlan: Sendable {
    struct Part: Sendable {
        let name: String
        let list: FetchList
        let isOptional: Bool
        /// The values for each of which one request is made; nil for one request.
        let each: TemplateExpression?
        let maximumEach: Int
        /// The time for its requests; nil for that of the route.
        let deadline: Duration?
        /// The numbers of the parts that its templates name.
        let needs: [Int]
    }

    /// The parts in the order of the file.
    let parts: [Part]

    init(_ list: FetchList) {
        parts = [Part(name: "", list: list, isOptional: false, each: nil, maximumEach: 1, deadline: nil, needs: [])]
    }

    /// Compiles the parts of a route, which has `common`; with a fault, the plan must not be used.
    init(
        _ settings: RouteConfiguration, _ common: FetchList.Common, _ note: SettingNotes<RouteConfiguration>
    ) {
        let elements = settings.parts?.elements ?? []
        let names = elements.map(\.name), parameters = common.parameters.names
        if elements.isEmpty { note(\.parts, "must have a part") }
        parts = elements.enumerated().map { index, element in
            let name = element.name
            func fault(_ detail: String) { note(\.parts, at: ".\(name)", detail) }
            if let detail = Self.fault(ofName: name) { fault(detail) }
            if parameters.contains(name) { fault("has the name of a parameter") }
            let options = Self.options(element, note)
            let own = TemplateNames(parameters: parameters, parts: Set(names))
            var each: TemplateExpression?
            if let text = options.each {
                do throws(RequestTemplate.Fault) { each = try TemplateExpression(text, own) } catch {
                    note[\.parts, name, 0, of: element.value](\.each, error.detail)
                }
            }
            var (inner, common) = (own, common)
            (inner.hasEach, common.part) = (options.each != nil, index)
            common.passedFields = settings.passedFields(of: name)
            if settings.rules.next?.part != name { common.rules.next = nil }
            let entries = settings.entries(of: element, note)
            if entries.isEmpty { fault("must have an entry") }
            let list = FetchList(entries, inner, common)
            let used = list.fetches.reduce(each?.names ?? []) { $0.union($1.request.usedNames) }
            return Part(
                name: name, list: list, isOptional: options.optional ?? false, each: each,
                maximumEach: options.maximumEach ?? 20,
                deadline: options.deadlineMilliseconds.map { .milliseconds($0) },
                needs: names.indices.filter { used.contains(names[$0]) })
        }
        if let cycle = Self.cycle(in: parts.map(\.needs)), let first = cycle.first {
            let way = cycle.map { names[$0] }.joined(separator: ", which needs ")
            note(\.parts, at: ".\(names[first])", "needs itself: \(way)")
        }
    }

    /// Returns why a part cannot have a name; nil if templates can name the part.
    static func fault(ofName name: String) -> String? {
        if name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]{0,63}/) == nil {
            return "must have a name of at most 64 letters, digits and _, no digit first"
        }
        let reserved = ConfiguredParameters.reserved
        return reserved.contains(name) ? "has a reserved name; reserved are \(reserved.joined(separator: ", "))" : nil
    }

    /// Returns the settings of a part as a whole, and notes those that are at a wrong place.
    private static func options(
        _ part: (name: String, value: OneOrMany<PartConfiguration>), _ note: SettingNotes<RouteConfiguration>
    ) -> PartConfiguration {
        var options = PartConfiguration()
        for (index, settings) in part.value.elements.enumerated() {
            let note = note[\.parts, part.name, index, of: part.value]
            if part.value.isList {
                let misplaced: [(PartialKeyPath<PartConfiguration>, isSet: Bool)] = [
                    (\.fetch, settings.fetch != nil), (\.optional, settings.optional != nil),
                    (\.each, settings.each != nil), (\.maximumEach, settings.maximumEach != nil),
                    (\.deadlineMilliseconds, settings.deadlineMilliseconds != nil),
                ]
                for (setting, isSet) in misplaced where isSet {
                    note(setting, "must stand beside the list: {\"fetch\": […], …}")
                }
                continue
            }
            options = settings
            if settings.fetch != nil, settings.hasEntry {
                note(\.fetch, "must be left out, or be the only description of requests")
            }
            if settings.maximumEach != nil, settings.each == nil {
                note(\.maximumEach, "must be left out, unless there is each")
            }
        }
        return options
    }

    /// Returns the numbers of parts each of which needs the next one, the first and the last being the same; nil for none.
    static func cycle(in needs: [[Int]]) -> [Int]? {
        var left = Set(needs.indices)
        while let free = left.first(where: { !needs[$0].contains(where: left.contains) }) { left.remove(free) }
        // Each part that is left needs one that is left.
        guard var part = left.min() else { return nil }
        var way: [Int] = []
        while true {
            if let start = way.firstIndex(of: part) { return way[start...] + [part] }
            way.append(part)
            part = needs[part].first(where: left.contains) ?? part
        }
    }

    /// The members of the documents of parts that the templates and the values of `each` read.
    var readings: [(expression: String, path: [String?])] {
        parts.flatMap { part in
            var reader = ReadMembers()
            var values: [(name: String?, value: ReadValue)] = parts.map { ($0.name, .path([$0.name])) }
            var readings: [(expression: String, path: [String?])] = []
            func read(_ expression: JMESPath) -> ReadValue {
                let count = reader.paths.count
                for value in values { reader.variables[value.name ?? ""] = value.value }
                reader.variables["$"] = .object(values)
                defer { readings += reader.paths[count...].map { (expression.text, $0) } }
                return reader.read(expression, of: .object(values))
            }
            if let each = part.each { values.append(("each", read(each.expression))) }
            for template in part.list.fetches.flatMap(\.request.expressions) { _ = read(template.expression) }
            return readings.map(Self.ofPart)
        }
    }

    /// Returns a reading of the object of all parts as one of the document of a part.
    static func ofPart(_ reading: (expression: String, path: [String?])) -> (expression: String, path: [String?]) {
        (reading.expression, Array(reading.path.dropFirst()))
    }

    /// Returns the requests of each part that needs no other, and nil for the others.
    /// - Throws: `Fault` if one of them cannot be made.
    func requests(_ values: TemplateValues) throws(RequestTemplate.Fault) -> [PartRequests?] {
        var all: [PartRequests?] = []
        for part in parts {
            let requests = part.needs.isEmpty ? part.requests(values) : nil
            for case .failure(let fault) in requests?.all ?? [] where !fault.isAbsence { throw fault }
            all.append(requests)
        }
        return all
    }
}

/// The requests of a part.
struct PartRequests: Sendable {
    /// The requests of the entries of the part, once, or once for each value of `each`; none for a value that is null.
    let all: [Result<[MappedRequest.Filled?], RequestTemplate.Fault>]
    /// Whether there is one request for each value.
    var isList = false
    /// The number of values beyond the most that are taken.
    var dropped = 0
}

extension PartsPlan.Part {
    /// Returns the requests with the values of their templates.
    func requests(_ values: TemplateValues) -> PartRequests {
        func request(_ values: TemplateValues) -> Result<[MappedRequest.Filled?], RequestTemplate.Fault> {
            Result { () throws(RequestTemplate.Fault) in try list.requests(values) }
        }
        guard let each else { return PartRequests(all: [request(values)]) }
        do throws(RequestTemplate.Fault) {
            guard let value = try each.value(values) else { return PartRequests(all: [], isList: true) }
            let elements = value.elements.map { Array($0.prefix(maximumEach)) } ?? [value]
            return PartRequests(
                all: elements.map { $0.isNull ? .success([]) : request(values.adding("each", $0)) }, isList: true,
                dropped: max(0, (value.elements?.count ?? 1) - elements.count))
        } catch {
            return PartRequests(all: [.failure(error)])
        }
    }
}

/// The parts of an answer, as one document: an object with a member for each.
struct PartAnswers: Sendable {
    let parts: [PartAnswer]

    /// Returns the bytes that the text of the object has at most.
    /// - Throws: A problem if these are more than `maximumBytes`.
    func size(maximumBytes: Int) throws(Problem) -> Int {
        let count = parts.reduce(2) { $0 + $1.size }
        if count <= maximumBytes { return count }
        throw Problem(.upstreamFailed, "The parts of the answer have more than \(maximumBytes) bytes together.")
    }

    /// Returns the text of the object, of `count` bytes at most.
    func text(_ count: Int) -> [UInt8] {
        JSONWriter.bytes(expecting: count) { writer in
            writer.write(byte: UInt8(ascii: "{"))
            for (index, part) in parts.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                writer.write(part.name)
                writer.write(byte: UInt8(ascii: ":"))
                part.write(to: &writer)
            }
            writer.write(byte: UInt8(ascii: "}"))
        }
    }

    /// The documents of upstreams in the parts.
    var documents: [Answer] { parts.flatMap(\.documents) }

    /// Whether no document is missing, or replaced by a fixed one.
    var isComplete: Bool { parts.allSatisfy(\.isComplete) }

    /// Returns what the rules made of the object, with the repairs of the parts and the field that names those that failed.
    func completed(_ answer: ShapedDocument) -> ShapedDocument {
        var drift = parts.reduce(into: DriftReport()) { $0.merge($1.drift) }
        drift.merge(answer.drift)
        let failures = parts.compactMap(\.failure)
        let fields = failures.isEmpty ? [] : [(AnswerField.parts.name, failures.joined(separator: ", "))]
        return ShapedDocument(body: answer.body, drift: drift, fields: parts.flatMap(\.fields) + fields)
    }

    /// Counts the repairs of the documents that no former answer was made of, each at its upstream, with those repairs of the
    /// `answer` that are about their parts, as the expressions of `readings` tell.
    func countDrift(
        of answer: DriftReport, _ readings: @autoclosure () -> [(expression: String, path: [String?])], route: String
    ) {
        var (counts, owners): ([String: (upstream: Upstream, drift: DriftReport)], [String: String]) = ([:], [:])
        for part in parts {
            for (index, piece) in part.pieces.enumerated() {
                guard case .document(let document) = piece, document.takeCount() else { continue }
                let upstream = document.pages[0].upstream
                counts[upstream.name, default: (upstream, DriftReport())].drift.merge(part.drift(of: document, index))
                if owners[part.name] == nil { owners[part.name] = upstream.name }
            }
            if let owner = owners[part.name] { counts[owner]?.drift.merge(part.surplus) }
        }
        let places = counts.isEmpty || answer.isEmpty ? [] : readings()
        for (name, count) in counts {
            let own = answer.only { entry in
                let place = entry.from ?? entry.path
                let part = places.first { $0.expression == place }?.path.first ?? nil
                return owners[part ?? String(place.prefix { $0 != "." && $0 != "[" })] == name
            }
            var drift = count.drift
            drift.merge(own)
            count.upstream.note(drift, route: route)
        }
    }

    /// The source of each part.
    var source: DocumentSource {
        var source = DocumentSource(dialect: "json")
        source.parts = Dictionary(uniqueKeysWithValues: parts.map { ($0.name, $0.source) })
        return source
    }
}

/// A document of an upstream, or the list of its pages, of which there is one or more.
struct PartDocument: Sendable {
    let pages: [Answer], body: [UInt8], drift: DriftReport

    func takeCount() -> Bool { pages.reduce(false) { $1.takeCount() || $0 } }
}

/// The outcome of a part of an answer.
struct PartAnswer: Sendable {
    /// The outcome of one request, to any of the upstreams of the part.
    enum Piece: Sendable {
        case document(PartDocument)
        /// The fixed answer of the part, after these upstreams failed.
        case fixed([UInt8], failed: [String])
        /// No upstream was asked, for this reason.
        case unasked(String)
        case failed(Problem)
    }

    let name: String
    let pieces: [Piece]
    /// Whether the part is an array of its pieces; otherwise it has one.
    let isList: Bool
    /// The number of values of `each` for which no request was made.
    var dropped = 0
    /// Whether documents may be null, because the part is optional.
    var isOptional = false
    /// The fields of the first document that the whole answer has.
    var fields: [(name: String, value: String)] = []

    /// The bytes of the part in the text of an answer.
    var size: Int { pieces.reduce(name.utf8.count + 6) { $0 + $1.body.count + 1 } }

    /// Writes the part without its name.
    func write(to writer: inout JSONWriter) {
        if isList { writer.write(byte: UInt8(ascii: "[")) }
        for (index, piece) in pieces.enumerated() {
            if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
            writer.write(raw: piece.body)
        }
        if isList { writer.write(byte: UInt8(ascii: "]")) }
    }

    /// The documents of upstreams in the part.
    var documents: [Answer] {
        pieces.flatMap { piece -> [Answer] in if case .document(let document) = piece { document.pages } else { [] } }
    }

    /// Whether no piece failed or is fixed.
    var isComplete: Bool {
        pieces.allSatisfy { if case .document = $0 { true } else if case .unasked = $0 { true } else { false } }
    }

    /// The problems in place of documents.
    private var problems: [Problem] {
        pieces.compactMap { if case .failed(let problem) = $0 { problem } else { nil } }
    }

    /// The repairs of the documents, with their paths in the whole answer, and the values that were left out.
    var drift: DriftReport {
        var drift = DriftReport()
        for (index, piece) in pieces.enumerated() {
            if case .document(let document) = piece { drift.merge(self.drift(of: document, index)) }
        }
        drift.merge(surplus)
        return drift
    }

    /// The values that were left out.
    fileprivate var surplus: DriftReport {
        var drift = DriftReport()
        drift.note(.dropped, .tooMany, pieces.count..<pieces.count + dropped, "\(name)[]")
        return drift
    }

    /// The repairs of a document with their paths in the whole answer; a part that is null is missing, unless it is optional.
    fileprivate func drift(of document: PartDocument, _ index: Int) -> DriftReport {
        let (pattern, example) = isList ? ("\(name)[]", "\(name)[\(index)]") : (name, name)
        var drift = document.drift.moved(under: pattern, example: example)
        if !isOptional, document.body.elementsEqual("null".utf8) { drift.noteMissing(pattern, from: pattern) }
        return drift
    }

    /// The name of the part with the status of the first upstream that failed, or the name of its problem; nil without one.
    var failure: String? {
        guard let problem = problems.first else { return nil }
        // An upstream that answered 200 sent an unusable document.
        let status = problem.upstream?.status.flatMap { $0 == 200 ? nil : "\($0)" }
        return "\(name)=\(status ?? problem.kind.rawValue)"
    }

    /// The source of the part: the first failure, or else its first document.
    var source: PartSource {
        let problem = problems.first
        var source = PartSource()
        source.upstream = problem?.upstream?.name ?? documents.first?.upstream.name
        source.status = problem.map { $0.upstream?.status } ?? (documents.isEmpty ? nil : 200)
        let first = documents.first?.source
        (source.failed, source.fetchedAt, source.digest) = (first?.failed, first?.fetchedAt, first?.digest)
        if case .fixed(_, let failed)? = pieces.first { source.failed = failed }
        (source.reason, source.error) = (problem?.detail, problem?.upstream?.error)
        if case .unasked(let reason)? = pieces.first, problem == nil {
            source.reason = "No upstream is asked: \(reason)."
        }
        source.failures = isList && !problems.isEmpty ? problems.count : nil
        return source
    }
}

extension PartAnswer.Piece {
    fileprivate var body: [UInt8] {
        switch self {
        case .document(let document): document.body.isEmpty ? Array("null".utf8) : document.body
        case .fixed(let body, _): body
        case .failed, .unasked: Array("null".utf8)
        }
    }
}
