public import LenientCoding

/// The answer to a search.
public struct SearchAnswer: Record {
    /// What was found, in the upstream's order.
    public var statuses: [Tweet] = []
    /// What is known of the search itself.
    public var metadata = SearchMetadata()

    /// Nothing found.
    public init() {}

    /// One line a field.
    public static let schema = Schema<SearchAnswer> {
        Field(\.statuses, .defaulted, .dropInvalid)
        Field(\.metadata, .defaulted)
    }
}

/// What is known of a search.
public struct SearchMetadata: Record {
    /// What was searched for.
    public var query: String?
    /// How many were asked for.
    public var count: Int?
    /// The `maxId` that asks for those after them.
    public var nextMaxId: String?
    /// The upstream's own mark of where the search goes on, where that is no id.
    public var next: String?

    /// Nothing.
    public init() {}

    /// One line a field.
    public static let schema = Schema<SearchMetadata> {
        Field(\.query)
        Field(\.count)
        Field(\.nextMaxId)
        Field(\.next)
    }
}
