import Configuration
import Contracts
import HTTPCore
import JMESPath
import JSONText
import Records

/// A request to an upstream as the configuration describes it.
struct MappedRequest: Sendable {
    private struct Member: Sendable {
        let name: String
        let template: RequestTemplate
        /// Whether an array repeats the member.
        let repeats: Bool
    }

    /// JSON with templates in its texts.
    private indirect enum Body: Sendable {
        case literal(JSONValue)
        case template(RequestTemplate, text: String)
        case array([Body])
        case object([(key: String, value: Body)])
    }

    private let path: RequestTemplate
    private let query: [Member]
    private let headers: [Member]
    private let body: Body?

    /// Header fields that a request cannot have: those of framing and of credentials, and those that the client makes.
    static let reservedFields: Set = [
        "host", "connection", "content-length", "transfer-encoding", "te", "upgrade", "expect", "trailer",
        "authorization", "proxy-authorization", "cookie", "accept-encoding", "if-none-match", "if-modified-since",
        "traceparent", "content-type", "range", "if-range", "if-match", "if-unmodified-since",
    ]

    /// Reads the templates of an entry of `fetch`, whose expressions may name the parameters `names`.
    init(_ entry: FetchEntry, names: Set<String>, _ note: SettingNotes<FetchEntry>) {
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
                    return template(text, setting, place).map { Member(name: member.key, template: $0, repeats: false) }
                }
                if takesLists, let text = member.value.elements.flatMap({ $0.count == 1 ? $0[0].stringValue : nil }) {
                    return template(text, setting, place).map { Member(name: member.key, template: $0, repeats: true) }
                }
                note(setting, at: place, "must be a text" + (takesLists ? ", or a list of one text" : ""))
                return nil
            }
        }
        func tree(_ json: JSONValue, _ place: String) -> Body {
            switch json {
            case .string(let text):
                // Other texts are sent as they are: GraphQL is full of braces.
                guard text.wholeMatch(of: /\{[A-Za-z_][A-Za-z0-9_]*\}/) != nil, let read = template(text, \.body, place)
                else {
                    return .literal(json)
                }
                return .template(read, text: text)
            case .array(let elements):
                return .array(elements.enumerated().map { tree($1, "\(place)[\($0)]") })
            case .object(let members):
                return .object(members.map { ($0.key, tree($0.value, "\(place).\($0.key)")) })
            default: return .literal(json)
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
        if path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) {
            note(\.path, "must not have a segment . or ..")
        }
        // A fault is noted, and the template is not used then.
        self.path = (template(path, \.path) ?? RequestTemplate.empty).withEscapes
        query = members(\.query, takesLists: true)
        headers = members(\.headers, takesLists: false)
        for member in headers
        where !Self.isFieldName(member.name) || Self.reservedFields.contains(member.name.lowercased()) {
            note(\.headers, at: ".\(member.name)", "is no header field that a request of a route can have")
        }
        body = entry.body.map { tree($0, "") }
    }

    /// Notes the header fields and the members of the query that carry the upstream's key.
    func checkKey(_ location: KeyLocation, _ note: SettingNotes<FetchEntry>) {
        switch location {
        case .query(let name):
            for member in query where member.name == name {
                note(\.query, at: ".\(name)", "has the name of the upstream's key, which is a setting of the upstream")
            }
        case .header(let name):
            for member in headers where member.name.lowercased() == name.lowercased() {
                note(
                    \.headers, at: ".\(member.name)",
                    "has the name of the upstream's key, which is a setting of the upstream")
            }
        case .none, .path, .bearer, .basic: break
        }
    }

    /// The names of the members of the query.
    var names: Set<String> { Set(query.map(\.name)) }

    static func isFieldName(_ name: String) -> Bool { name.wholeMatch(of: /[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}/) != nil }

    private static func text(of json: JSONValue) -> String? {
        switch json {
        case .string(let text): text
        case .number(let text): text
        case .bool(let value): value ? "true" : "false"
        default: nil
        }
    }

    /// A request for the parameters of a client.
    struct Filled: Sendable {
        let target: String
        let headers: [(name: String, value: String)]
        let body: [UInt8]?

        /// Everything that the upstream's answer depends on.
        var key: String {
            let fields = headers.map { "\n\($0.name.lowercased()): \($0.value)" }.joined()
            return target + fields + (body.map { "\n\n" + String(decoding: $0, as: UTF8.self) } ?? "")
        }
    }

    /// Returns the request with the values of parameters, and with other pairs of the client's query.
    ///
    /// - Throws: `Fault` if a segment of the path becomes empty, `.` or `..`, or a value cannot be written.
    func filled(
        _ values: JMESValue, others: [(name: String, value: String)] = []
    ) throws(RequestTemplate.Fault) -> Filled {
        guard let path = try self.path.text(values, allowing: .pathSegment) else {
            throw RequestTemplate.Fault(detail: "the path needs a value that is absent")
        }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let hasEmpty =
            segments.dropLast().contains("") || segments.last == "" && path != "/" && !self.path.endsWithSlash
        if hasEmpty || segments.contains(".") || segments.contains("..") {
            throw RequestTemplate.Fault(detail: "a segment of the path would be empty, . or ..")
        }
        var pairs: [String] = []
        func append(_ name: String, _ value: String) {
            pairs.append(
                "\(PercentCoding.encode(name, allowing: .unreserved))=\(PercentCoding.encode(value, allowing: .unreserved))"
            )
        }
        for member in query {
            if member.repeats, let value = try member.template.value(values), let elements = value.elements {
                for element in elements { if let text = element.urlText { append(member.name, text) } }
            } else if let text = try member.template.text(values, allowing: nil) {
                append(member.name, text)
            }
        }
        // The route's own members are not the client's to change.
        for pair in others where !names.contains(pair.name) { append(pair.name, pair.value) }
        var fields: [(name: String, value: String)] = []
        for member in headers {
            guard let text = try member.template.text(values, allowing: nil) else { continue }
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw RequestTemplate.Fault(detail: "a header field would have control characters")
            }
            fields.append((member.name, text))
        }
        var content: [UInt8]?
        if let body {
            fields.append(("Content-Type", "application/json"))
            var writer = JSONWriter()
            try Self.write(body, values, to: &writer)
            content = writer.bytes
        }
        return Filled(
            target: path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")), headers: fields, body: content)
    }

    private static func write(
        _ body: Body, _ values: JMESValue, to writer: inout JSONWriter
    ) throws(RequestTemplate.Fault) {
        switch body {
        case .literal(let json): json.write(to: &writer)
        case .template(let template, _): (try template.value(values) ?? .null).write(to: &writer)
        case .array(let elements):
            writer.write(byte: UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                try write(element, values, to: &writer)
            }
            writer.write(byte: UInt8(ascii: "]"))
        case .object(let members):
            writer.write(byte: UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { writer.write(byte: UInt8(ascii: ",")) }
                writer.write(member.key)
                writer.write(byte: UInt8(ascii: ":"))
                try write(member.value, values, to: &writer)
            }
            writer.write(byte: UInt8(ascii: "}"))
        }
    }
}
