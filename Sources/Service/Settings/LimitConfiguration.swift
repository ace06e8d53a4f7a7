package import JSONText
package import Records

/// A limit of the requests of each client.
package struct LimitConfiguration: Record {
    /// The most requests at once.
    package static let mostBurst = 1_000_000

    package var by = LimitSubject.address
    package var requests = 0, perSeconds = 1
    package var burst: Int?
    package var routes: [String]?
    package var missCost = 0
    package var misses: Int?
    package var dryRun = false

    package init() {}

    package static let schema = Schema<LimitConfiguration>(.exact, .defaulted) {
        Field(
            \.by, .required, .oneOf(LimitSubject.words),
            .takes("`address`, `network`, `credential`, or an object with `header`"),
            .example(#"{"header": "X-Client"}"#),
            .note(
                "What tells clients apart: the address (of IPv6 64 bits), the network (24 bits of IPv4, 48 of IPv6), the "
                    + "[credentials of the route](routes.md#credentials-of-clients) or else the field `Authorization`, or a "
                    + "field that the proxy sets. A request without the credential or the field counts for its address."
            ))
        Field(
            \.requests, .required, .plausible(1...1_000_000), .example("10"),
            .note("The requests that a client may make in `perSeconds`."))
        Field(\.perSeconds, .plausible(1...86_400), .example("60"), .note("The period of `requests`."))
        Field(
            \.burst, .plausible(1...Double(mostBurst)), .takes(orElse: "as `requests`"), .example("20"),
            .note("The requests that a client may make at once, after a while without any."))
        Field(
            \.routes, .takes("paths of routes", orElse: "all but those for operators"), .example(#"["/weather"]"#),
            .note("The routes whose requests count, together."))
        Field(
            \.missCost, .plausible(0...Double(mostBurst - 1)), .example("5"),
            .note(
                "How many requests more a request counts as, when an upstream is asked for it. Less than `burst`. Who waits "
                    + "for the answer to another client's request pays nothing."))
        Field(
            \.misses, .plausible(1...10_000), .takes(orElse: "no limit"), .example("4"),
            .note("The requests of a client for which upstreams are asked at a time."))
        Field(
            \.dryRun, .example("true"),
            .note("Whether requests beyond the limit are counted and logged, and answered nevertheless."))
    }

    /// The most requests at once.
    package var room: Int { burst ?? requests }

    /// Whether the requests to the route with this template count; nil is a request without a route.
    package func counts(_ template: String?) -> Bool {
        routes.map { routes in template.map(routes.contains) ?? false } ?? true
    }
}

/// The mark by which a limit tells clients apart.
package enum LimitSubject: Equatable, Sendable {
    case address, network, credential
    /// The value of a header field.
    case header(String)

    static let words = ["address", "network", "credential"]
    private static let member = "header"

    /// The word, or the name of the field in lower case.
    package var name: String {
        switch self {
        case .address: "address"
        case .network: "network"
        case .credential: "credential"
        case .header(let field): field.lowercased()
        }
    }
}

extension LimitSubject: FieldValue {
    package static var expectation: String { "\(words.joined(separator: ", ")), or an object with \"\(member)\"" }

    package static func read(
        _ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader
    ) -> LimitSubject? {
        if node.kind == .object, node.members.count(where: { _ in true }) == 1, let field = node[member]?.string {
            return .header(field)
        }
        switch node.string {
        case "address": return .address
        case "network": return .network
        case "credential": return .credential
        default: return reader.fail(.mistyped)
        }
    }

    package func write(to writer: inout JSONWriter, style: WritingStyle) {
        guard case .header(let field) = self else { return name.write(to: &writer, style: style) }
        [Self.member: field].write(to: &writer, style: style)
    }

    package static func schema(in components: inout SchemaComponents) -> JSONValue {
        let object: JSONValue = [
            "type": "object", "properties": .object([.init(member, String.schema(in: &components))]),
            "required": [.string(member)], "additionalProperties": false,
        ]
        return ["anyOf": [["enum": .array(words.map { .string($0) })], object]]
    }
}
