import HTTPCore
import JSONText
import Records

/// The OpenAPI 3.1 document of a service, made from the descriptions of its routes.
package struct OpenAPI {
    private let routes: [RouteDescription]
    private let version: String
    /// The path below which a proxy serves the routes; empty for none.
    private let prefix: String
    private var components: SchemaComponents
    private var fields: [String: AnswerField] = [:]

    /// The document of `routes` below the path `prefix`; answers have the units of `unitSystems`, in the order of their numbers.
    package static func document(
        _ routes: [RouteDescription], below prefix: String = "", version: String, unitSystems: [String]
    ) -> [UInt8] {
        var openAPI = OpenAPI(
            routes: routes, version: version, prefix: prefix, components: SchemaComponents(ofAnswersIn: unitSystems))
        let document = openAPI.document()
        return JSONWriter.bytes(expecting: 128 << 10) { document.write(to: &$0) }
    }

    private init(routes: [RouteDescription], version: String, prefix: String, components: SchemaComponents) {
        (self.routes, self.version, self.prefix, self.components) = (routes, version, prefix, components)
    }

    /// The meanings of the tags of built-in routes.
    private static let tags = [
        "weather": "Forecasts.", "tweets": "Posts of Twitter and of servers with Mastodon's API.",
        "operations": "Health, figures, and this document.", "routes": "Routes of the configuration.",
    ]

    /// The tags of the routes, each once, in the order of the routes.
    private var tags: [JSONValue] {
        var seen: Set<String> = []
        return routes.flatMap { [$0.tag] + $0.otherTags }.filter { seen.insert($0).inserted }.map { tag in
            .object(
                [.init("name", .string(tag))] + (Self.tags[tag].map { [.init("description", .string($0))] } ?? []))
        }
    }

    private mutating func document() -> JSONValue {
        let paths = routes.map { route in
            JSONValue.Member(
                route.template.text, .object([.init(route.method.rawValue.lowercased(), operation(route))]))
        }
        let headers = fields.values.sorted { $0.name < $1.name }.map { field in
            JSONValue.Member(
                field.name,
                [
                    "description": .string(field.summary), "required": .bool(field.isRequired),
                    "schema": ["type": .string(field.kind.rawValue)],
                ])
        }
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "Weir", "version": .string(version),
                "description": "Answers in compact camelCase JSON, made of repaired documents of upstreams.",
            ],
            "servers": [["url": .string(prefix.isEmpty ? "/" : prefix)]],
            "tags": .array(tags),
            "paths": .object(paths),
            "components": ["schemas": components.value, "headers": .object(headers)],
        ]
    }

    private mutating func operation(_ route: RouteDescription) -> JSONValue {
        var operation: [JSONValue.Member] = [
            .init("operationId", .string(route.name)), .init("summary", .string(route.summary)),
            .init("tags", .array(([route.tag] + route.otherTags).map { .string($0) })),
        ]
        if let details = route.details { operation.append(.init("description", .string(details))) }
        if !route.parameters.isEmpty { operation.append(.init("parameters", .array(route.parameters.map(parameter)))) }
        operation.append(.init("responses", .object(responses(route))))
        return .object(operation)
    }

    private func parameter(_ spec: ParameterSpec) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(spec.name)), .init("in", .string(spec.location.rawValue)),
            .init("required", .bool(spec.isRequired)), .init("schema", spec.schema),
        ]
        if !spec.description.isEmpty { members.insert(.init("description", .string(spec.description)), at: 3) }
        // A list is written with commas.
        if spec.isList, spec.location == .query { members += [.init("style", "form"), .init("explode", false)] }
        if let example = spec.exampleValue { members.append(.init("example", example)) }
        return .object(members)
    }

    private mutating func responses(_ route: RouteDescription) -> [JSONValue.Member] {
        let isOfDocuments = route.source == .documents
        var own =
            route.fields + (isOfDocuments ? AnswerField.ofDocuments : [.cacheControl]) + [.vary, .contentEncoding]
        if !route.isProbe { own.append(.requestID) }
        components.requiresFields = !isOfDocuments
        var responses: [JSONValue.Member] = []
        var texts: [Int: String] = [:], contents: [Int: [JSONValue.Member]] = [:]
        for answer in [route.answer] + route.otherAnswers {
            texts[answer.status] = answer.summary
            contents[answer.status, default: []].append(content(answer))
            // Generators take the first content: they make clients of the plain answer.
            guard let explained = answer.explained else { continue }
            contents[answer.status]?.append(.init("\(answer.mediaType); explain=1", ["schema": explained(&components)]))
        }
        responses.append(response(200, texts[200] ?? "", own, content: contents[200] ?? []))
        if let nothing = texts[Status.noContent.code] {
            responses.append(response(Status.noContent.code, nothing, [.cacheControl], content: []))
        }
        if own.contains(where: { $0.name == AnswerField.entityTag.name }) {
            responses.append(response(304, "The client's copy is current.", [.entityTag], content: []))
        }
        var causes: [Int: [Problem.Kind]] = [:]
        for kind in Problem.Kind.ofRequests + (route.isForOperators ? [.foreignRequest] : []) + route.problems {
            for status in route.problemStatuses[kind] ?? kind.statuses { causes[status, default: []].append(kind) }
        }
        components.requiresFields = true
        let ownProblem = content(route.problem)
        let problem = content(RouteDescription.problem)
        for (status, kinds) in causes.sorted(by: { $0.key < $1.key }) {
            // The server itself answers a request that it cannot pass to a route.
            let isOfServer = kinds.allSatisfy(\.isOfServer)
            let problems = isOfServer || ownProblem.key == problem.key ? [problem] : [ownProblem, problem]
            let own = texts[status].map { "\($0)\n\n" } ?? ""
            let text = own + kinds.map { "`\($0.rawValue)`: \($0.cause)" }.joined(separator: "\n\n")
            let ofLimits = kinds.contains(.tooManyRequests) ? [AnswerField.rateLimitPolicy, .rateLimit] : []
            let fields = status == Status.methodNotAllowed.code ? [AnswerField.allow] : [.retryAfter] + ofLimits
            responses.append(response(status, text, fields, content: (contents[status] ?? []) + problems))
        }
        return responses
    }

    private mutating func content(_ answer: RouteDescription.Answer) -> JSONValue.Member {
        .init(
            String(answer.mediaType.prefix { $0 != ";" }),
            ["schema": answer.schema?(&components) ?? ["type": "string"]])
    }

    private mutating func response(
        _ status: Int, _ text: String, _ fields: [AnswerField], content: [JSONValue.Member]
    ) -> JSONValue.Member {
        let headers = fields.map { field in
            self.fields[field.name] = field
            return JSONValue.Member(field.name, ["$ref": .string("#/components/headers/\(field.name)")])
        }
        var members: [JSONValue.Member] = [.init("description", .string(text)), .init("headers", .object(headers))]
        if !content.isEmpty { members.append(.init("content", .object(content))) }
        return .init("\(status)", .object(members))
    }
}

extension ParameterSpec {
    /// The meaning with the default.
    fileprivate var description: String {
        [summary, defaultNote.map { "Default: \($0)." } ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    }

    fileprivate var isList: Bool { schema["type"] == "array" }

    /// The example in the type of the schema.
    fileprivate var exampleValue: JSONValue? {
        guard let example else { return nil }
        if isList { return .array(example.split(separator: ",").map { .string(String($0)) }) }
        return ["number", "integer"].contains(schema["type"]) ? .number(example) : .string(example)
    }
}
