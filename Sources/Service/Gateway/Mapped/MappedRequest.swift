import Settings
import API
import HTTPCore
import JMESPath
import JSONText
import Records
import Proxy

/// A request to an upstream as the configuration describes it.
struct MappedRequest: Sendable {
    private struct Member: Sendable {
        let name: String
        let template: RequestTemplate
        /// Whether an array repeats the member.
        let repeats: Bool
        /// The parameter whose credential of the client is the value, instead of a template.
        var credential: String?
    }

    private let path: RequestTemplate
    private let query: [Member]
    /// The names of the members of the query, as servers may read these.
    let queryNames: [QueryName]
    private let headers: [Member]
    private let body: RequestBody?
    /// The condition of the request; nil for none.
    private let when: TemplateExpression?

    /// Header fields that a request cannot have: those of framing and of credentials, and those that the client makes.
    static let reservedFields: Set = [
        "host", "connection", "content-length", "transfer-encoding", "te", "upgrade", "expect", "trailer",
        "authorization", "proxy-authorization", "cookie", "accept-encoding", "if-none-match", "if-modified-since",
        "traceparent", "tracestate", "content-type", "range", "if-range", "if-match", "if-unmodified-since",
    ]

    /// Reads the templates of an entry of `fetch`, whose expressions may name `names`.
    ///
    /// No expression can name `credentials`: these are a whole header field or member of the query.
    init(_ entry: FetchEntry, names: TemplateNames, credentials: [String], _ note: SettingNotes<FetchEntry>) {
        func template(
            _ text: String, _ setting: PartialKeyPath<FetchEntry>, _ place: String = ""
        ) -> RequestTemplate? {
            do throws(RequestTemplate.Fault) {
                return try RequestTemplate(text, names: names)
            } catch {
                note(setting, at: place, error.detail)
                return nil
            }
        }
        func members(_ setting: KeyPath<FetchEntry, JSONValue?>, takesLists: Bool) -> [Member] {
            guard let json = entry[keyPath: setting], json != .null else { return [] }
            guard let members = json.members else {
                note(setting, "must be an object of texts")
                return []
            }
            var seen: Set<String> = []
            return members.compactMap { member in
                if !seen.insert(takesLists ? member.key : member.key.lowercased()).inserted {
                    note(setting, at: ".\(member.key)", "appears more than once; keep one of them")
                }
                let place = ".\(member.key)"
                if let text = Self.text(of: member.value) {
                    if let parameter = credentials.first(where: { text == "{\($0)}" }) {
                        return Member(name: member.key, template: .empty, repeats: false, credential: parameter)
                    }
                    return template(text, setting, place).map { Member(name: member.key, template: $0, repeats: false) }
                }
                if takesLists, let text = member.value.elements.flatMap({ $0.count == 1 ? $0[0].stringValue : nil }) {
                    return template(text, setting, place).map { Member(name: member.key, template: $0, repeats: true) }
                }
                note(setting, at: place, "must be a text" + (takesLists ? ", or a list of one text" : ""))
                return nil
            }
        }
        let path = entry.path ?? "/"
        if !path.hasPrefix("/") { note(\.path, "must start with /") }
        if path.contains("?") || path.contains("#") { note(\.path, "must not have ? or #: parameters are in query") }
        for segment in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().dropLast()
        where segment.isEmpty {
            note(\.path, "must not have the empty segment of //")
            break
        }
        if path.split(separator: "/").contains(where: Self.isDotSegment) {
            note(\.path, "must not have a segment . or .., also not before ; or escaped")
        }
        // A wrong template is noted as a fault, and a configuration with faults is never used.
        self.path = (template(path, \.path) ?? RequestTemplate.empty).withEscapes
        query = members(\.query, takesLists: true)
        queryNames = query.map { QueryName($0.name) }
        headers = members(\.headers, takesLists: false)
        for member in headers where !Self.isFieldName(member.name, isCredential: member.credential != nil) {
            note(\.headers, at: ".\(member.name)", "is no header field that a request of a route can have")
        }
        body = entry.body.map { RequestBody($0, names) { note(\.body, at: $0, $1) } }
        var condition: TemplateExpression?
        if let text = entry.when {
            do throws(RequestTemplate.Fault) { condition = try TemplateExpression(text, names) } catch {
                note(\.when, error.detail)
            }
        }
        when = condition
    }

    /// Notes each header field and each member of the query that has the name of the upstream's key.
    func checkKey(_ location: KeyLocation, _ note: SettingNotes<FetchEntry>) {
        let detail = "carries the upstream's key; remove it here and set `upstreams[].key`"
        switch location {
        case .query(let name):
            for member in query where member.name == name { note(\.query, at: ".\(name)", detail) }
        case .header, .bearer, .basic:
            let name = if case .header(let name) = location { name } else { "Authorization" }
            for member in headers where member.name.lowercased() == name.lowercased() {
                note(\.headers, at: ".\(member.name)", detail)
            }
        case .none, .path: break
        }
    }

    /// The members with credentials of clients, and the parameters of these.
    var passed: [(name: String, isField: Bool, parameter: String)] {
        (headers.map { ($0, true) } + query.map { ($0, false) }).compactMap { member, isField in
            member.credential.map { (member.name, isField, $0) }
        }
    }

    /// Whether a request can have the field; only a credential of the client can be in `Authorization`.
    static func isFieldName(_ name: String, isCredential: Bool) -> Bool {
        let name = name.lowercased()
        return isFieldName(name) && (!reservedFields.contains(name) || isCredential && name == "authorization")
    }

    /// Whether a server may take a segment for `.` or `..`, however often it decodes, and whatever it takes for a slash.
    private static func isDotSegment(_ segment: Substring) -> Bool {
        var text = String(segment)
        while true {
            let names = text.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.map { part in
                part.prefix { $0 != ";" }.filter { $0 > " " }
            }
            if names.contains(".") || names.contains("..") { return true }
            let decoded = PercentCoding.decodeLeniently(text)
            if decoded.utf8.count >= text.utf8.count { return false }
            text = decoded
        }
    }

    /// The names of the members of the query.
    var namesOfQuery: [String] { query.map(\.name) }

    /// The path as logs show it, without a client's values.
    var shownPath: String { path.shown }

    /// The expressions of the templates, and the condition.
    var expressions: [TemplateExpression] {
        let templates = [path] + query.map(\.template) + headers.map(\.template) + (body?.templates ?? [])
        return templates.flatMap(\.expressions) + (when.map { [$0] } ?? [])
    }

    /// The names of parameters and parts that the templates use.
    var usedNames: Set<String> { Set(expressions.flatMap(\.names)) }

    /// Whether the request may have no place in an answer.
    var isConditional: Bool { when != nil || expressions.contains(where: \.readsDocuments) }

    static func isFieldName(_ name: String) -> Bool { name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}/) != nil }

    private static func text(of json: JSONValue) -> String? {
        switch json {
        case .string(let text), .number(let text): text
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }

    /// A request for the parameters of a client.
    struct Filled: Sendable {
        private(set) var target: String
        var content: RequestContent

        /// Returns the request with other pairs of the client's query.
        func adding(_ pairs: [(name: String, value: String)]) -> Filled {
            var request = self
            for pair in pairs {
                request.target +=
                    (request.target.contains("?") ? "&" : "?") + MappedRequest.encoded(pair.name, pair.value)
            }
            return request
        }

        func setting(_ name: String, to value: String) -> Filled {
            let (pair, start) = (MappedRequest.encoded(name, value), MappedRequest.encoded(name, ""))
            let parts = target.split(separator: "?", maxSplits: 1)
            var request = self
            var pairs = parts.dropFirst().joined().split(separator: "&").map { $0.hasPrefix(start) ? pair : String($0) }
            if !pairs.contains(pair) { pairs.append(pair) }
            request.target = "\(parts.first ?? "/")?\(pairs.joined(separator: "&"))"
            return request
        }
    }

    private static func encoded(_ name: String, _ value: String) -> String {
        [name, value].map { PercentCoding.encode($0, allowing: .unreserved) }.joined(separator: "=")
    }

    /// Returns the request with the values of its templates.
    ///
    /// - Throws: `Fault` if a segment of the path becomes empty, `.` or `..`, a value cannot be written, or an absence.
    func filled(_ values: TemplateValues) throws(RequestTemplate.Fault) -> Filled {
        if let when, try !when.isTrue(values) {
            throw RequestTemplate.Fault(detail: "\(when) of `when` is not true", isAbsence: true)
        }
        guard let path = try self.path.text(values, allowing: .pathSegment) else {
            throw RequestTemplate.Fault(detail: "the path needs a value that is absent")
        }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let hasEmpty =
            segments.dropLast().contains("") || segments.last == "" && path != "/" && !self.path.endsWithSlash
        if hasEmpty || segments.contains(where: Self.isDotSegment) {
            throw RequestTemplate.Fault(detail: "a segment of the path would be empty, . or ..")
        }
        var pairs: [String] = []
        func append(_ name: String, _ value: String) { pairs.append(Self.encoded(name, value)) }
        for member in query where member.credential == nil {
            if member.repeats, let value = try member.template.value(values), let elements = value.elements {
                let texts = elements.compactMap(\.urlText)
                if texts.isEmpty { try member.template.expressions.first?.requireValue() }
                for text in texts { append(member.name, text) }
            } else if let text = try member.template.text(values, allowing: nil) {
                append(member.name, text)
            }
        }
        var content = RequestContent()
        for member in headers where member.credential == nil {
            guard let text = try member.template.text(values, allowing: nil) else { continue }
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw RequestTemplate.Fault(detail: "a header field would have control characters")
            }
            content.headers.append((member.name, text))
        }
        if let body {
            content.headers.append(("Content-Type", "application/json"))
            content.body = try body.filled(values).text
        }
        return Filled(target: path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")), content: content)
    }
}

/// The name of a member of a query, as servers may read it: case counts for some, brackets make a list or an object, points do so
/// for others, and PHP has `_` for a point, a space and a bracket that does not close, and ignores what follows the last bracket.
struct QueryName: Sendable {
    /// The name in lower case up to the first bracket, what is in the brackets, and both.
    private let base: String, index: String, joined: String

    init(_ name: String) {
        let text = Array(name.lowercased().unicodeScalars.drop { $0 == " " })
        func string(of scalars: some Sequence<Unicode.Scalar>) -> String {
            String(String.UnicodeScalarView(scalars.map { " .+[".unicodeScalars.contains($0) ? "_" : $0 }))
        }
        let open = text.firstIndex(of: "[") ?? text.endIndex
        let close = text.lastIndex(of: "]") ?? text.startIndex
        base = string(of: text[..<open])
        index = open < close ? string(of: text[open..<close].filter { $0 != "[" && $0 != "]" }) : ""
        joined = open >= close ? string(of: text) : index.isEmpty ? base : base + "_" + index
    }

    /// Whether a server may take the names for one: `limit`, `Limit` and `limit[]`, but not `filter[a]` and `filter[b]`.
    func isLike(_ other: QueryName) -> Bool {
        Name.areEqual(joined, other.joined)
            || Name.areEqual(base, other.base)
                && (index.isEmpty || other.index.isEmpty || Name.areEqual(index, other.index))
    }
}

extension [(name: String, value: String)] {
    /// The pairs whose names no server takes for one of `names`.
    func without(_ names: [QueryName]) -> Self {
        filter { pair in
            let name = QueryName(pair.name)
            return !names.contains { $0.isLike(name) }
        }
    }
}
