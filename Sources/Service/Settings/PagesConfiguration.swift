package import Records

/// The pages for browsers.
package struct PagesConfiguration: Record {
    package var enabled = true
    package var showsUpstream = false, status = false

    package init() {}

    package static let schema = Schema<PagesConfiguration>(.exact, .defaulted) {
        Field(
            \.enabled, .example("false"),
            .note(
                "Whether `/` is the [explorer](pages.md) and `/docs` the reference. A configured route with the path "
                    + "`/docs` takes the place of that page."))
        Field(
            \.showsUpstream, .example("true"),
            .note(
                "Whether `explain` takes the word `raw`, which adds the upstream's document to the answer, without "
                    + "keys. The explorer then shows that document beside the answer."))
        Field(
            \.status, .example("true"),
            .note(
                "Whether the [status page](pages.md#status) is at the addresses in `listen`, too, for all clients. The page "
                    + "shows errors of upstreams and lines of the log."))
    }
}
