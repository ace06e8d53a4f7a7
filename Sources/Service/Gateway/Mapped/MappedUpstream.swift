import API
import HTTPClient
import HTTPCore
import JMESPath
import JSONText
import Mapping
import Records
import Proxy

/// One request of a configured route, without its upstream.
struct MappedFetch: Sendable {
    /// The name of the upstream.
    let upstream: String
    let kind: RequestKind
    /// The number of its part in a route with parts, and its number among the requests for the same document.
    let part: Int?, entry: Int
    let request: MappedRequest
    let rules: FetchRules
    /// The pages of a list, which the rules for answers get as one document; nil for a document of its own.
    let pages: PagesRule?
    /// The fields of the upstream's response that clients get, in lower case.
    let passedFields: [String]
    /// A checksum of the rules above: equal ones make equal answers of one document.
    let checksum: UInt64
    /// Whether unknown parameters of the client are passed on.
    let takesOthers: Bool
}

/// A client's request to a configured route.
struct MappedQuestion: Sendable {
    var form = MappedForm()
    /// The requests of the entries of `fetch`, in their order; nil for an entry that is passed over.
    var requests: [MappedRequest.Filled?] = []
    /// The requests of the parts of a route; nil for a part that needs another part's document.
    var parts: [PartRequests?] = []
    /// The path as received and the query of the client, for the address of the next page.
    var rawPath = "", pairs: [(name: String, value: String)] = []
    /// The credentials of the client, by the names of their parameters; no expression sees these.
    var credentials: [String: Secret] = [:]
}

/// An upstream of a configured route, for one entry of its `fetch`.
///
/// A class, because every request copies it several times.
final class MappedUpstream: DocumentUpstream {
    let upstream: Upstream
    private let fetch: MappedFetch
    /// How documents are kept; nil if they are not.
    private let policy: CachePolicy?
    /// The header fields that are kept with documents, in lower case: those of all routes, which share documents.
    private let keptFields: Set<String>
    /// The parameter of the upstream's requests that has its key; nil for none.
    private let keyName: QueryName?
    /// The secret of the digests of clients' credentials; nil if no documents are kept for these.
    private let credentialKey: Secret?

    init(
        _ fetch: MappedFetch, upstream: Upstream, policy: CachePolicy?, keptFields: Set<String>,
        keyLocation: KeyLocation, credentialKey: Secret?
    ) {
        self.credentialKey = credentialKey
        (self.fetch, self.upstream, self.policy, self.keptFields) = (fetch, upstream, policy, keptFields)
        keyName = if case .query(let name) = keyLocation { QueryName(name) } else { nil }
    }

    /// The number of the part that the upstream serves; nil in a route without parts.
    var part: Int? { fetch.part }

    static let passesStatuses = true

    func canAnswer(_ question: MappedQuestion, now: Int64) -> Bool { question.requests[fetch.entry] != nil }

    nonisolated(nonsending) func answer(
        _ question: MappedQuestion, _ form: AnswerForm, in context: FetchContext
    ) async throws(FetchFailure) -> Answer {
        guard var filled = question.requests[fetch.entry] else { throw .unusable("there is no request") }
        if fetch.takesOthers {
            // Neither the members of the route nor the upstream's key are the client's to change, in any spelling.
            filled = filled.adding(
                question.form.others.without(
                    fetch.request.queryNames
                        + [keyName, fetch.pages.map { QueryName($0.next.parameter) }].compactMap(\.self)))
        }
        let passed =
            question.credentials.isEmpty
            ? []
            : fetch.request.passed.compactMap { name, isField, parameter in
                question.credentials[parameter].map { (name, isField, $0) }
            }
        if !passed.isEmpty { filled.content.credentials = PassedCredentials(passed, key: credentialKey) }
        let isKept = passed.isEmpty || credentialKey != nil
        let errors = ErrorReader(fetch.rules.errorText, explain: { [fetch] in fetch.rules.explain($0) })
        let request = DocumentRequest(
            to: upstream, fetch.kind, target: filled.target, shownPath: { [fetch] in fetch.request.shownPath },
            content: filled.content, policy: isKept ? policy : nil, keptFields: keptFields, errors: errors,
            takesNothing: true
        ) { [fetch] response, options in
            // The rules make the form while they read.
            let document = try fetch.document(response, question, options)
            return ReadDocument { document }
        }
        return try await request.answer(form, in: context)
    }
}

extension MappedFetch {
    /// The fields of a document that have the value for the next page, and the number of the entry with pages.
    static let nextField = "weir-next", entryField = "weir-entry"

    /// The parameters on which the answer made of a document depends.
    var usedParameters: Set<String> { rules.answer.parameters.union(pages?.parameters ?? rules.next?.parameters ?? []) }

    /// The header fields of a response that answers need, in lower case.
    var neededFields: [String] { passedFields + (rules.next?.fields ?? []) + (pages?.fields ?? []) + ["link"] }

    /// Returns the answer made of a response.
    func document(
        _ response: IncomingResponse, _ question: MappedQuestion, _ options: JSONOptions
    ) throws -> ShapedDocument {
        var fields = passedFields.flatMap { name in
            response.headers.pairs.filter { $0.name.lowercased() == name }
        }
        let isBlank = rules.empty != nil && response.body.allSatisfy { $0 <= UInt8(ascii: " ") }
        if response.isNothing || isBlank {
            let body = rules.empty.map { question.form.selecting(of: $0) } ?? []
            return ShapedDocument(body: body, drift: DriftReport(), fields: fields)
        }
        let (answer, (next, losses)) = try ShapedDocument.read(response.body, options) { root in
            if let refusal = rules.refusal(root) { throw refusal }
            // No others are seen: the key of the form would not have them.
            let parameters = question.form.parameters.filter { usedParameters.contains($0.key) }
            let answer = try pages?.list(root, response.headers, parameters) ?? rules.answer.answer(root, question.form)
            do throws(JMESFailure) {
                let next = try (pages?.next ?? rules.next)?.value(root, response.headers, parameters)
                return (answer, (next, DriftReport()))
            } catch {
                return (answer, (nil, DriftReport(.dropped, .mistyped, ofDocument: 1)))
            }
        }
        if pages != nil { fields.append((Self.entryField, "\(entry)")) }
        if let next {
            // The document of a part is kept for all requests: the link is that of the whole answer.
            let rule = part == nil ? rules.next : nil
            fields.append(rule.map { (AnswerField.link.name, $0.link(to: next, question)) } ?? (Self.nextField, next))
        }
        var drift = answer.drift
        drift.merge(losses)
        return ShapedDocument(body: answer.body, drift: drift, fields: fields)
    }
}
