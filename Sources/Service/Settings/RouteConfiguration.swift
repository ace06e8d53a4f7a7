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
    package var answer: JSONValue?
    package var edit: EditConfiguration?
    package var error: String?
    package var next: NextConfiguration?
    package var passHeaders: [String]?
    package var cache: CacheRouteConfiguration?
    package var deadlineMilliseconds: Int?

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
        Field(
            \.answer, .takes("a JSON Schema with `from`"), .example(#"{"properties": {"name": "properties.name"}}"#),
            .note("The [shape](routes.md#answer) of the answer."))
        Field(
            \.edit, .takes(orElse: "`{}`, without `answer`"), .example(#"{"remove": ["**.debug"]}"#),
            .note("The [changes](#routesedit) to the document."))
        Field(
            \.error, .takes("an expression", orElse: "the usual members"), .example(#""errors[0].message""#),
            .note("The reason in an upstream's error; also applied to a 200, which fails if there is a value."))
        Field(\.next, .note("The [next page](#routesnext)."))
        Field(
            \.passHeaders, .takes("names of header fields"), .example(#"["X-Total-Count"]"#),
            .note("The fields of the upstream's response that clients get."))
        Field(
            \.cache, .takes("an object", orElse: "a minute fresh, a day if the upstream fails"),
            .example(#"{"defaultSeconds": 60}"#), .note("How documents are kept, as in [`cache`](#cache)."))
        Field(
            \.deadlineMilliseconds, .plausible(1...600_000), .takes(orElse: "`fetching.deadlineMilliseconds`"),
            .example("3000"), .note("The time for a request of a client."))
    }
}

/// A request to an upstream, or a fixed answer.
package struct FetchEntry: Record {
    package var upstream: String?
    package var path: String?
    package var query: JSONValue?
    package var headers: JSONValue?
    package var body: JSONValue?
    package var value: JSONValue?
    package var answer: JSONValue?
    package var edit: EditConfiguration?
    package var error: String?
    package var next: NextConfiguration?

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
            \.body, .takes("any JSON"), .example(#"{"query": "{ user { id } }", "variables": {"id": "{id}"}}"#),
            .note("The JSON to POST; a text that is `{name}` alone becomes the typed value."))
        Field(
            \.value, .takes("any JSON"), .example(#"{"items": []}"#),
            .note("A fixed answer, as the last entry of a list."))
        Field(\.answer, .takes("a JSON Schema with `from`"), .example(#"{"from": "data"}"#), .note("As for the route."))
        Field(\.edit, .takes("an object"), .example(#"{"keys": "keep"}"#), .note("As for the route."))
        Field(\.error, .takes("an expression"), .example(#""detail""#), .note("As for the route."))
        Field(
            \.next, .takes("an object"), .example(#"{"parameter": "page", "from": "next"}"#), .note("As for the route.")
        )
    }
}

/// The address of the next page.
package struct NextConfiguration: Record {
    package var parameter = ""
    package var from: String?, header: String?, member: String?

    package init() {}

    package static let schema = Schema<NextConfiguration>(.exact, .defaulted) {
        Field(
            \.parameter, .required, .takes("the name of a parameter"), .example(#""cursor""#),
            .note("The parameter of the route that the next page has."))
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

/// A parameter of a route, with the keys of JSON Schema.
package struct ParameterConfiguration: Record {
    package var type: String?, items: Items?
    package var choices: [JSONValue]?
    package var minimum: Double?, maximum: Double?
    package var minLength: Int?, maxLength: Int?, maxItems: Int?
    package var pattern: String?, format: String?
    package var standard: JSONValue?, example: JSONValue?
    package var description: String?, required: Bool?, header: String?

    package init() {}

    package static let types = ["string", "integer", "number", "boolean"]

    /// The elements of an array.
    package struct Items: Record {
        package var type: String?, choices: [JSONValue]?
        package var minimum: Double?, maximum: Double?
        package var minLength: Int?, maxLength: Int?
        package var pattern: String?, format: String?

        package init() {}

        package static let schema = Schema<Items>(.exact, .defaulted) {
            Field(\.type, .oneOf(types), .takes(orElse: "`string`"), .example(#""string""#), .note("The type."))
            Field("enum", \.choices, .takes("a list"), .example(#"["a", "b"]"#), .note("The values."))
            Field(\.minimum, .example("0"), .note("The smallest number."))
            Field(\.maximum, .example("10"), .note("The largest number."))
            Field(\.minLength, .plausible(0...10_000), .example("1"), .note("The least characters of a text."))
            Field(\.maxLength, .plausible(0...10_000), .example("20"), .note("The most characters of a text."))
            Field(\.pattern, .takes("a regular expression"), .example(#""^[a-z]+$""#), .note("The form of a text."))
            Field(
                \.format, .oneOf(["date", "date-time"]), .takes(orElse: "any"), .example(#""date""#),
                .note("A date, or a date with a time, in ISO 8601."))
        }
    }

    package static let schema = Schema<ParameterConfiguration>(.exact, .defaulted) {
        Field(
            \.type, .oneOf(types + ["array"]), .takes(orElse: "`string`"), .example(#""integer""#),
            .note("The type; an `array` is written with commas."))
        Field(\.items, .takes("an object"), .example(#"{"type": "integer"}"#), .note("The elements of an array."))
        Field("enum", \.choices, .takes("a list"), .example(#"["asc", "desc"]"#), .note("The values."))
        Field(\.minimum, .example("0"), .note("The smallest number."))
        Field(\.maximum, .example("100"), .note("The largest number."))
        Field(\.minLength, .plausible(0...10_000), .example("1"), .note("The least characters of a text."))
        Field(\.maxLength, .plausible(0...10_000), .example("40"), .note("The most characters of a text."))
        Field(\.maxItems, .plausible(1...1000), .takes(orElse: "100"), .example("20"), .note("The most elements."))
        Field(
            \.pattern, .takes("a regular expression"), .example(#""^[A-Z0-9]{3,8}$""#),
            .note("The form of a text (PCRE2)."))
        Field(
            \.format, .oneOf(["date", "date-time"]), .takes(orElse: "any"), .example(#""date""#),
            .note("A date, or a date with a time, in ISO 8601."))
        Field(
            "default", \.standard, .takes("a value of the type"), .example("10"),
            .note("The value of a parameter that is absent."))
        Field(\.description, .example(#""The station's identifier""#), .note("The meaning, for OpenAPI."))
        Field(\.example, .takes("a value of the type"), .example(#""KSFO""#), .note("An example, for OpenAPI."))
        Field(
            \.required, .takes(orElse: "`true` in the path"), .example("true"),
            .note("Whether a request without the parameter is an error."))
        Field(
            \.header, .takes("the name of a header field"), .example(#""Accept-Language""#),
            .note("The client's header field that has the value, instead of the query."))
    }
}
