package import Records

/// A repair that documents of an upstream need: where, how often, and when it was seen first and last.
package struct DriftPattern: Record {
    /// The fields; see ``schema``.
    package var upstream = "", route = "", kind = "", reason = "", path = "", from = ""
    package var first = UnixSeconds(0), last = UnixSeconds(0), documents = 0, values = 0, example = "", news: Bool?

    package init() {}

    /// The fields in the order in which they are written.
    package static let schema = Schema<DriftPattern> {
        Field(\.upstream, .note("The name of the upstream."))
        Field(\.route, .note("The template of the route for which the first of the documents was fetched."))
        Field(\.kind, .note("The kind of the repair, as in drift reports."))
        Field(\.reason, .note("The reason."))
        Field(\.path, .note("The path in answers, with `[]` for any element."))
        Field(\.from, .note("The place in the upstream's document."))
        Field(\.first, .note("The time at which the pattern was seen first."))
        Field(\.last, .note("The time at which the pattern was seen last."))
        Field(\.documents, .note("The number of documents with the pattern."))
        Field(\.values, .note("The number of repairs in all of the documents."))
        Field(\.example, .note("The path of the first of the repairs."))
        Field(\.news, .note("True for a pattern that came after the baseline; absent for one of the baseline."))
    }
}

/// The drift of all upstreams: the answer of `/-/drift`.
package struct DriftSummary: Record {
    package var patterns: [DriftPattern] = [], unlistedDocuments = 0

    package init() {}

    /// The fields in the order in which they are written.
    package static let schema = Schema<DriftSummary> {
        Field(\.patterns, .note("The patterns, the latest one first."))
        Field(
            \.unlistedDocuments,
            .note("The documents since the start with patterns beyond the \(DriftBook.maximumPatterns) that are kept."))
    }
}

/// Documents of one upstream for one route, which drift together.
struct DriftSource: Hashable, Record {
    var upstream = "", route = ""

    init() {}

    init(_ upstream: String, _ route: String) { (self.upstream, self.route) = (upstream, route) }

    static let schema = Schema<DriftSource> {
        Field(\.upstream)
        Field(\.route)
    }
}
