import API
import JMESPath
import Mapping
import Proxy
import Records
import Settings

/// The requests that get one document, in the order of failover.
struct FetchList: Sendable {
    /// The settings that the entries of a route share.
    struct Common {
        let name: String
        let parameters: ConfiguredParameters
        /// The rules of entries without their own.
        var rules: FetchRules
        var passedFields: [String] = []
        var takesOthers = false
        /// The number of the part; nil for the only list of a route.
        var part: Int?
    }

    let fetches: [MappedFetch]
    /// The document if all of them fail; nil for none.
    let fallback: [UInt8]?

    /// Compiles entries whose templates may use `names`; with a fault, the list must not be used.
    init(_ entries: [RouteConfiguration.Entry], _ names: TemplateNames, _ common: Common) {
        let parameters = common.parameters
        var fetches: [MappedFetch] = []
        var fallback: [UInt8]?
        let hasPages = entries.contains { $0.settings.pages != nil }
        for (index, (entry, note)) in entries.enumerated() {
            if let value = entry.value {
                if entry.upstream != nil { note(\.value, "must be left out: there is an upstream") }
                if entry.pages != nil { note(\.pages, "must be left out: there is a value") }
                if index != entries.count - 1 || entries.count == 1 {
                    note(\.value, "must be the last entry of a list, behind an upstream")
                }
                fallback = value.text
                continue
            }
            let pages = entry.pages.flatMap { PagesRule($0, names: parameters.names, note[\.pages]) }
            if entry.pages == nil, hasPages { note(\.pages, "must be in each entry of the list, or in none") }
            guard let upstream = entry.upstream else {
                note(\.upstream, "is missing: it takes the name of an upstream")
                continue
            }
            let noteRules = note.included(\.rules)
            if common.part != nil, entry.rules.next != nil {
                noteRules(\.next, "must be left out: a part has no next page")
            }
            let rules = FetchRules(
                entry.rules, parameters, instead: common.rules, noteRules)
            if pages != nil, rules.next != nil { note(\.pages, "must be left out: there is `next`") }
            fetches.append(
                MappedFetch(
                    upstream: upstream, kind: RequestKind(common.name), part: common.part, entry: fetches.count,
                    request: MappedRequest(entry, names: names, credentials: parameters.credentials, note),
                    rules: rules, pages: pages, passedFields: common.passedFields,
                    checksum: DocumentKey.address(
                        ([
                            rules.answer.text, rules.error?.text ?? "", rules.next?.text ?? "",
                            pages?.next.text ?? "",
                            String(decoding: rules.empty ?? [], as: UTF8.self),
                        ] + common.passedFields)
                        .joined(separator: "\n")),
                    takesOthers: index == 0 && common.takesOthers))
        }
        (self.fetches, self.fallback) = (fetches, fallback)
    }

    /// Returns the requests of the entries, nil for an entry that is passed over.
    /// - Throws: An absence if all of them are passed over.
    func requests(_ values: TemplateValues) throws(RequestTemplate.Fault) -> [MappedRequest.Filled?] {
        var requests: [MappedRequest.Filled?] = []
        var absence: RequestTemplate.Fault?
        for fetch in fetches {
            do throws(RequestTemplate.Fault) {
                requests.append(try fetch.request.filled(values))
            } catch {
                guard error.isAbsence else { throw error }
                absence = absence ?? error
                requests.append(nil)
            }
        }
        if let absence, requests.allSatisfy({ $0 == nil }) { throw absence }
        return requests
    }
}

extension FetchList {
    /// Returns the fields that the answer of a route has of a document of a part.
    func fields(of document: Answer?, _ question: MappedQuestion) -> [(name: String, value: String)] {
        guard let document, let fetch = fetches.first else { return [] }
        return document.fields.compactMap { name, value in
            if name == MappedFetch.nextField, let rule = fetch.rules.next {
                return (AnswerField.link.name, rule.link(to: value, question))
            }
            return fetch.passedFields.contains(name.lowercased()) ? (name, value) : nil
        }
    }
}

extension MappedFetch {
    /// The members of documents that the rules of the request read.
    var readings: [(expression: String, path: [String?])] {
        let ofAnswer = rules.answer.readings
        return (pages?.readings(ofAnswer) ?? ofAnswer) + (rules.error?.readings ?? []) + (rules.next?.readings ?? [])
    }
}

extension RouteConfiguration {
    /// An entry of `fetch` or of a part, and the notes of its faults.
    typealias Entry = (settings: FetchEntry, note: SettingNotes<FetchEntry>)

    /// The entries of `fetch`.
    func entriesOfFetch(_ note: SettingNotes<RouteConfiguration>) -> [Entry] {
        guard let fetch else { return [] }
        return fetch.elements.enumerated().map { ($1, note[\.fetch, $0, of: fetch]) }
    }

    /// The entries of a part, which are those of its `fetch` if it has one.
    func entries(
        of part: (name: String, value: OneOrMany<PartConfiguration>), _ note: SettingNotes<RouteConfiguration>
    ) -> [Entry] {
        part.value.elements.enumerated().flatMap { index, settings -> [Entry] in
            let note = note[\.parts, part.name, index, of: part.value]
            guard let fetch = settings.fetch else { return [(settings.entry, note.included(\.entry))] }
            return fetch.elements.enumerated().map { ($1, note[\.fetch, $0, of: fetch]) }
        }
    }

    /// The entries with upstreams of the route and of its parts, in the order of `MappedRoute.fetches`.
    func entriesWithUpstreams(_ note: SettingNotes<RouteConfiguration>) -> [Entry] {
        let all = parts.map { $0.elements.flatMap { entries(of: $0, note) } } ?? entriesOfFetch(note)
        return all.filter { $0.settings.upstream != nil && $0.settings.value == nil }
    }
}

/// The rules of a route or of an entry of `fetch`, compiled.
struct FetchRules: Sendable {
    let answer: AnswerRules
    /// The reason in an error; nil for the usual members.
    let error: JMESPath?
    /// The statuses that pass.
    let statuses: PassedStatuses
    /// The answer if there is no document; nil for none.
    let empty: [UInt8]?
    var next: NextPageRule?

    init(
        answer: AnswerRules, error: JMESPath?, statuses: PassedStatuses = .standard, next: NextPageRule? = nil
    ) {
        (self.answer, self.error, self.statuses, self.next) = (answer, error, statuses, next)
        empty = nil
    }

    /// Compiles the settings; those that are absent are the ones of `instead`.
    init(
        _ settings: DocumentRules, _ parameters: ConfiguredParameters, instead: FetchRules? = nil,
        _ note: SettingNotes<DocumentRules>
    ) {
        let (names, inQuery) = (parameters.names, parameters.namesInQuery)
        let ofClients = !parameters.credentials.isEmpty
        var rules: AnswerRules?
        if let answer = settings.answer {
            rules = AnswerRules(answer: answer, parameters: names) { note(\.answer, at: $0, $1) }
        }
        if let edit = settings.edit {
            if settings.answer != nil { note(\.edit, "must be left out: there is an answer") }
            rules = rules ?? AnswerRules(edit: edit) { note(\.edit, at: $0, $1) }
        }
        self.answer = rules ?? instead?.answer ?? .standard
        var reason = instead?.error
        if let error = settings.error {
            do throws(JMESPathError) { reason = try JMESPath(configured: error) } catch { note(\.error, "\(error)") }
            if case .object(let members?)? = reason?.result, Set(members).isDisjoint(with: ["status", "detail"]) {
                note(\.error, "makes an object without the members `status` and `detail`")
            }
        }
        self.error = reason
        statuses =
            settings.statuses.map { PassedStatuses($0, ofClients: ofClients, note) } ?? instead?.statuses
            ?? (ofClients ? .ofClients : .standard)
        empty = settings.empty?.text ?? instead?.empty
        self.next =
            settings.next.flatMap { NextPageRule($0, names: names, inQuery: inQuery, note[\.next]) } ?? instead?.next
    }
}
