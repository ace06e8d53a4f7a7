package import Records

/// A route whose answers are made of an upstream's documents by configuration alone.
///
/// The words are those of docs/routes.md. Expressions, templates and shapes are compiled by the gateway, which reports their
/// faults at their places in the file.
package struct RouteConfiguration: Record {
    package var path = ""
    package var name: String?
    package var summary: String?, description: String?
    package var tags: [String]?
    package var parameters: [String: ParameterConfiguration]?
    package var otherParameters: String?
    package var fetch: OneOrMany<FetchEntry>?
    package var parts: NamedValues<OneOrMany<PartConfiguration>>?
    package var rules = DocumentRules()
    package var passHeaders: [String]?
    package var options: [String]?
    package var cache: CacheRouteConfiguration?
    package var deadlineMilliseconds: Int?
    package var maximumQueueMilliseconds: Int?

    package init() {}

    package static let schema = Schema<RouteConfiguration>(.exact, .defaulted) {
        Field(
            \.path, .required, .takes("literal segments and `{parameter}`"), .example(#""/stations/{station}""#),
            .note("The path. A literal segment wins over a parameter."))
        Field(
            \.name, .takes("letters and digits", orElse: "the path in camelCase"), .example(#""station""#),
            .note("The name in metrics, logs, quotas and OpenAPI."))
        Field(\.summary, .example(#""A station""#), .note("One line for OpenAPI."))
        Field(\.description, .example(#""The station and its place.""#), .note("A text for OpenAPI."))
        Field(\.tags, .example(#"["stations"]"#), .note("The groups of the route in OpenAPI."))
        Field(
            \.parameters, .example(#"{"limit": {"type": "integer", "maximum": 50}}"#),
            .note("The [parameters](#routesparameters) by name; those that `path` does not name are in the query."))
        Field(
            \.otherParameters, .oneOf(["forward"]), .takes(orElse: "an error"), .example(#""forward""#),
            .note("Passes unknown parameters of the query on to the first upstream, at most 32 of 4 KiB."))
        Field(
            \.fetch,
            .takes("an object, or a list in the order of failover", orElse: "required, unless `parts` is set"),
            .example(#"{"upstream": "stations", "path": "/stations/{station}"}"#),
            .note("The [requests](#routesfetch) that get the document."))
        Field(
            \.parts,
            .example(#"{"point": {"upstream": "points"}, "alerts": {"upstream": "alerts", "optional": true}}"#),
            .note("The [parts](#routesparts) of an answer that is made of several documents, by name."))
        Included(\.rules)
        Field(
            \.passHeaders, .takes("names of header fields"), .example(#"["X-Total-Count"]"#),
            .note(
                "The fields of the upstream's response that clients get; beside `parts`, as in `issues.X-Total-Count`.")
        )
        Field(
            \.options, .takes("names of parameters", orElse: "all"), .example("[]"),
            .note("Which of `fields`, `dates` and `explain` there are; without `fields`, the schema has `required`."))
        Field(
            \.cache, .takes("an object", orElse: "a minute fresh, a day if the upstream fails"),
            .example(#"{"defaultSeconds": 60}"#), .note("How documents are kept, as in [`cache`](#cache)."))
        Field(
            \.deadlineMilliseconds, .plausible(1...600_000), .takes(orElse: "`fetching.deadlineMilliseconds`"),
            .example("3000"), .note("The time for a request of a client."))
        Field(
            \.maximumQueueMilliseconds, .plausible(1...600_000),
            .takes(orElse: "`fetching.maximumQueueMilliseconds`"), .example("200"),
            .note("The time that a request of a client may wait for others at an upstream."))
    }
}

/// A request to an upstream, or a fixed answer.
package struct FetchEntry: Record {
    package var upstream: String?
    package var path: String?
    package var query: JSONValue?
    package var headers: JSONValue?
    package var body: JSONValue?
    package var when: String?
    package var value: JSONValue?
    package var pages: PagesConfiguration?
    /// Its own rules, instead of the route's.
    package var rules = DocumentRules()

    package init() {}

    package static let schema = Schema<FetchEntry>(.exact, .defaulted) {
        Field(
            \.upstream, .takes("the name of an upstream", orElse: "required, unless `value` is set"),
            .example(#""stations""#), .note("The upstream to ask."))
        Field(
            \.path, .takes("a template", orElse: "`/`"), .example(#""/stations/{station}""#),
            .note("The path below the upstream's address."))
        Field(
            \.query, .takes("an object of templates, or lists of one template"), .example(#"{"limit": "{limit}"}"#),
            .note("The parameters of the request; one whose value is null is left out, a list repeats its member."))
        Field(
            \.headers, .takes("an object of templates"), .example(#"{"Accept-Language": "{language}"}"#),
            .note("Header fields of the request."))
        Field(
            \.body, .takes("any JSON"), .example(#"{"query": "{{ user {{ id } }", "variables": {"id": "{id}"}}"#),
            .note(
                "The JSON to POST, whose texts are templates; one that is an expression alone becomes the typed value.")
        )
        Field(
            \.when, .takes("an expression", orElse: "always"), .example(#""order.customerId""#),
            .note("The condition of the request, which is made only if the value is true."))
        Field(
            \.value, .takes("any JSON"), .example(#"{"items": []}"#),
            .note("A fixed answer, as the last entry of a list."))
        Field(
            \.pages, .takes("an object"), .example(#"{"next": "meta.next", "parameter": "page"}"#),
            .note("The [pages](#routesfetchpages) of a list, which are read as one."))
        Included(\.rules)
    }
}

/// The pages of a list, which are read as one list.
package struct PagesConfiguration: Record {
    package var next = "", parameter = ""
    package var items: String?, maximum: Int?

    package init() {}

    package static let schema = Schema<PagesConfiguration>(.exact, .defaulted) {
        Field(
            \.next, .required, .takes("an expression, or `Link`"), .example(#""$headers.\"x-next-page\"""#),
            .note("The value that asks for the page after a document; `Link`: that in the target with `rel=next`."))
        Field(
            \.parameter, .required, .takes("a text"), .example(#""page""#),
            .note("The member of the query for the value."))
        Field(
            \.items, .takes("an expression", orElse: "the document"), .example(#""data""#), .note("The list of a page.")
        )
        Field(\.maximum, .plausible(1...100), .takes(orElse: "10"), .example("5"), .note("The most pages of a list."))
    }
}

/// How a document becomes an answer, for a route or for one of its requests.
package struct DocumentRules: Record {
    package var answer: JSONValue?
    package var edit: EditConfiguration?
    package var error: String?
    package var statuses: [Int]?
    package var empty: JSONValue?
    package var next: NextConfiguration?

    package init() {}

    package static let schema = Schema<DocumentRules>(.exact, .defaulted) {
        Field(
            \.answer, .takes("a JSON Schema with `from`"), .example(#"{"properties": {"name": "properties.name"}}"#),
            .note("The [shape](routes.md#answer) of the answer."))
        Field(
            \.edit, .takes("an object", orElse: "`{}`, without `answer`"), .example(#"{"remove": ["**.debug"]}"#),
            .note("The [changes](#routesedit) to the document."))
        Field(
            \.error, .takes("an expression", orElse: "the usual members"), .example(#""errors[0].message""#),
            .note("The reason in an error, or `{status, detail}`; also for a 200, which fails if there is a value."))
        Field(
            \.statuses, .takes("numbers from 400 to 499", orElse: "400, 404, 409, 410, 422 and 429"),
            .example("[404, 422]"), .note("The upstream's statuses that clients get; others become 502."))
        Field(
            \.empty, .takes("any JSON", orElse: "a 204, or null for a part"), .example("[]"),
            .note("The answer in place of a 204, a 205 or an empty body, which otherwise is a 502."))
        Field(
            \.next, .takes("an object"), .example(#"{"parameter": "page", "from": "next"}"#),
            .note("The [next page](#routesnext)."))
    }
}

/// The address of the next page.
package struct NextConfiguration: Record {
    package var parameter = ""
    package var part: String?, from: String?, header: String?, member: String?

    package init() {}

    package static let schema = Schema<NextConfiguration>(.exact, .defaulted) {
        Field(
            \.parameter, .required, .takes("the name of a parameter"), .example(#""cursor""#),
            .note("The parameter of the route that the next page has."))
        Field(
            \.part, .takes("the name of a part", orElse: "required beside `parts`"), .example(#""issues""#),
            .note("The part whose document or field has the value."))
        Field(
            \.from, .takes("an expression", orElse: "required, unless `header` is set"), .example(#""meta.next""#),
            .note("The value in the upstream's document."))
        Field(
            \.header, .takes("the name of a header field"), .example(#""Link""#),
            .note("The field of the upstream's response that has the value; of `Link`, the target with `rel=next`."))
        Field(
            \.member, .takes("the name of a parameter"), .example(#""page""#),
            .note("The member to take of the query, if the value is a URL."))
    }
}

/// Changes to a document.
package struct EditConfiguration: Record {
    package var keys: String?
    package var exempt: [String]?, keep: [String]?, remove: [String]?
    package var rename: [String: String]?
    package var nulls: String?

    package init() {}

    package init(keys: String) { self.keys = keys }

    package static let schema = Schema<EditConfiguration>(.exact, .defaulted) {
        Field(
            \.keys, .oneOf(["camel", "keep"]), .takes(orElse: "`camel`"), .example(#""keep""#),
            .note("How keys are written: in camelCase, or as they are."))
        Field(
            \.exempt, .takes("paths"), .example(#"["labels"]"#),
            .note("Objects whose keys are data and stay as they are."))
        Field(\.keep, .takes("paths"), .example(#"["items[*].id"]"#), .note("The only members that stay."))
        Field(\.remove, .takes("paths"), .example(#"["**.debug"]"#), .note("The members that are left out."))
        Field(
            \.rename, .takes("an object of paths with new names"), .example(#"{"items[*].mag": "magnitude"}"#),
            .note("The members with other names, which stay as they are written here."))
        Field(
            \.nulls, .oneOf(["keep", "drop"]), .takes(orElse: "`keep`"), .example(#""drop""#),
            .note("Whether members that are null stay."))
    }
}

/// A part of an answer: one request, or a list of them in `fetch`.
package struct PartConfiguration: Record {
    /// The only request, if there is no list.
    package var entry = FetchEntry()
    package var fetch: OneOrMany<FetchEntry>?
    package var optional: Bool?
    package var each: String?
    package var maximumEach: Int?
    package var deadlineMilliseconds: Int?

    package init() {}

    package static let schema = Schema<PartConfiguration>(.exact, .defaulted) {
        Included(\.entry)
        Field(
            \.fetch, .takes("a list in the order of failover"),
            .example(#"[{"upstream": "stations"}, {"value": []}]"#),
            .note("The requests of the part, instead of the settings above."))
        Field(
            \.optional, .takes(orElse: "`false`"), .example("true"),
            .note("Whether the part is null if its requests fail; otherwise the route fails."))
        Field(
            \.each, .takes("an expression"), .example(#""users[*].id""#),
            .note("The values for each of which one request is made, as `{each}` in its templates."))
        Field(
            \.maximumEach, .plausible(1...1000), .takes(orElse: "20"), .example("50"),
            .note("The most values of `each`; no request is made for those beyond."))
        Field(
            \.deadlineMilliseconds, .plausible(1...600_000), .takes(orElse: "that of the route"), .example("500"),
            .note("The time for the part, from the start of its requests."))
    }

    /// Whether a setting stands beside `fetch` that belongs into the entries of the list.
    package var hasEntry: Bool { entry.json?.members?.isEmpty == false }
}
