import LenientCoding

/// Twitter's search answer as records.
enum TwitterRecords {}

extension TwitterRecords {
    /// A Twitter v1.1 search answer: every member of the recorded one that has a type.
    struct Search: Record {
        var statuses: [Tweet] = []
        var searchMetadata = SearchMetadata()

        static let schema = Schema<Search> {
            Field(\.statuses)
            Field(\.searchMetadata, .or("search_metadata"))
        }
    }

    /// What the search says of itself.
    struct SearchMetadata: Record {
        var completedIn = 0.0
        var maxId = 0
        var maxIdStr = ""
        var nextResults = ""
        var query = ""
        var refreshUrl = ""
        var count = 0
        var sinceId = 0
        var sinceIdStr = ""

        static let schema = Schema<SearchMetadata> {
            Field(\.completedIn, .or("completed_in"))
            Field(\.maxId, .or("max_id"))
            Field(\.maxIdStr, .or("max_id_str"))
            Field(\.nextResults, .or("next_results"))
            Field(\.query)
            Field(\.refreshUrl, .or("refresh_url"))
            Field(\.count)
            Field(\.sinceId, .or("since_id"))
            Field(\.sinceIdStr, .or("since_id_str"))
        }
    }
}
