package import Records

/// A part of an answer: one request, or a list of them in `fetch`.
package struct PartConfiguration: Record {
    /// The only request, if there is no list.
    package var entry = FetchEntry()
    package var fetch: OneOrMany<FetchEntry>?
    package var optional: Bool?
    package var each: String?
    package var maximumEach: Int?

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
    }

    /// Whether a setting stands beside `fetch` that belongs into the entries of the list.
    package var hasEntry: Bool { entry.json?.members?.isEmpty == false }
}
