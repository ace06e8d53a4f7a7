package import API
import Contracts
import JSONText
package import Records

/// An API that is an upstream of `/weather` or of the tweet routes by configuration alone.
///
/// The words are those of docs/mappings.md. The gateway compiles them.
package struct MappingConfiguration: Record {
    package var file: String?
    package var contract: String?
    package var attribution: String?, about: String?
    package var key: MappedKeyConfiguration?
    package var headers: [String: String]?
    package var coordinateDigits: Int?
    package var covers: MappedCoverConfiguration?
    package var forecast: MappedRequestConfiguration?, past: MappedRequestConfiguration?
    package var status: MappedRequestConfiguration?, timeline: MappedRequestConfiguration?
    package var search: MappedRequestConfiguration?
    package var error: String?
    package var indices: String?, ids: String?

    package init() {}

    package static let schema = Schema<MappingConfiguration>(.exact, .defaulted) {
        Field(
            \.file, .takes("a path"), .example(#""ours.json""#),
            .note("The file that has the mapping, relative to the configuration file, in place of all other settings."))
        Field(
            \.contract, .oneOf(["forecast", "tweets"]), .takes(orElse: "required, unless `file` is set"),
            .example(#""forecast""#), .note("What the upstream's documents become."))
        Field(
            \.attribution, .example(#""Weather data by Example""#),
            .note("The words with which the upstream wants to be named; answers have these in `flags`."))
        Field(\.about, .example(#""https://weather.example""#), .note("The address of a page about the upstream."))
        Field(\.key, .takes(orElse: "no key"), .example(#"{"query": "appid"}"#), .note("Where requests carry the key."))
        Field(
            \.headers, .takes("texts by names of header fields"),
            .example(#"{"User-Agent": "the name of your site and an address"}"#),
            .note("The fields that `upstreams[].headers` must have, and what each one says."))
        Field(
            \.coordinateDigits, .plausible(0...7), .takes(orElse: "`weather.coordinateDigits`"), .example("4"),
            .note("The most decimals of coordinates that the upstream takes."))
        Field(
            \.covers, .takes(orElse: "all days"), .example(#"{"pastDays": 5, "futureDays": 10}"#),
            .note("The days that `past` is asked about."))
        Field(
            \.forecast, .example("{}"), .note("The [request](#mappingsforecast) for the weather now and the forecast."))
        Field(
            \.past, .takes("as `forecast`", orElse: "no other times"), .example("{}"),
            .note("That for the weather of another time."))
        Field(\.status, .takes("as `forecast`", orElse: "no single posts"), .example("{}"), .note("That for one post."))
        Field(
            \.timeline, .takes("as `forecast`", orElse: "no timelines"), .example("{}"),
            .note("That for the posts of a user."))
        Field(
            \.search, .takes("as `forecast`", orElse: "no searches"), .example("{}"),
            .note("That for posts that match a text."))
        Field(
            \.error, .takes("an expression", orElse: "the usual members"), .example(#""message""#),
            .note("The reason in an error, as in [`routes`](#routes); also for a 200."))
        Field(
            \.indices, .oneOf(["codePoints", "utf16", "bytes"]), .takes(orElse: "`codePoints`"),
            .example(#""bytes""#), .note("What the offsets of entities count."))
        Field(
            \.ids, .takes("a regular expression", orElse: "letters, digits, - and _"), .example(#""^at://""#),
            .note("The ids of posts that the upstream can have."))
    }
}

/// Where requests of a mapping carry the key.
package struct MappedKeyConfiguration: Record {
    package var query: String?, header: String?
    package var bearer: Bool?, optional: Bool?

    package init() {}

    package static let schema = Schema<MappedKeyConfiguration>(.exact, .defaulted) {
        Field(\.query, .example(#""appid""#), .note("The parameter of the query."))
        Field(\.header, .example(#""X-Api-Key""#), .note("The header field."))
        Field(\.bearer, .takes(orElse: "`false`"), .example("true"), .note("Whether the key is a bearer token."))
        Field(\.optional, .takes(orElse: "`false`"), .example("true"), .note("Whether requests may go without a key."))
    }

    /// The place; none with a fault.
    package var location: KeyLocation {
        if let query { return .query(query) }
        if let header { return .header(header) }
        return bearer == true ? .bearer : .none
    }
}

/// The days before and after today that an upstream knows.
package struct MappedCoverConfiguration: Record {
    package var pastDays = 0, futureDays = 0

    package init() {}

    package static let schema = Schema<MappedCoverConfiguration>(.exact, .defaulted) {
        Field(\.pastDays, .plausible(0...100_000), .example("5"), .note("The days before today."))
        Field(\.futureDays, .plausible(0...1000), .example("10"), .note("The days after today."))
    }
}

/// How an upstream of a mapping is asked, and how its document becomes that of the contract.
package struct MappedRequestConfiguration: Record {
    package var fetch: FetchEntry?
    package var parts: NamedValues<OneOrMany<PartConfiguration>>?
    package var answer: JSONValue?
    package var error: String?, next: String?

    package init() {}

    package static let schema = Schema<MappedRequestConfiguration>(.exact, .defaulted) {
        Field(
            \.fetch, .takes("an object", orElse: "required, unless `parts` is set"),
            .example(#"{"path": "/forecast", "query": {"lat": "{latitude}"}}"#),
            .note("The request, as in [`routes`](#routesfetch)."))
        Field(
            \.parts, .takes("objects by name"), .example(#"{"point": {"path": "/points/{latitude},{longitude}"}}"#),
            .note(
                "The requests, one after another. The answer is kept as long as the document of the last one that is neither "
                    + "optional nor needed by others."))
        Field(
            \.answer, .takes("a JSON Schema with `from`", orElse: "required"),
            .example(#"{"properties": {"hourly": {"from": "hours", "items": {"properties": {"time": "t"}}}}}"#),
            .note("The [shape](routes.md#answer) of the answer, in the names of the contract."))
        Field(
            \.error, .takes("an expression"), .example(#""message""#), .note("The reason in an error of this request."))
        Field(
            \.next, .takes("an expression"), .example(#""cursor""#),
            .note("The value that asks for the next page, for `timeline` and `search`."))
    }
}

/// A mapping that an upstream has, compiled.
package protocol CompiledMapping: Sendable {
    /// The dialect that the mapping is.
    var dialect: any Dialect { get }
    /// The mapping as JSON: equal texts make equal answers.
    var text: String { get }
    /// The header fields that the upstream's settings must have, and what each one says.
    var headers: [String: String] { get }
}
