package import Records

/// The pages for browsers.
package struct PagesConfiguration: Record {
    package var enabled = true
    package var showsUpstream = false

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
    }
}
