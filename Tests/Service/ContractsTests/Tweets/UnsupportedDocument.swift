import Records

/// Kinds of documents that the service does not support, recognized by their members.
enum UnsupportedDocument {
    /// Returns the kind of a document whose elements are all of one kind, or nil if the kind is unknown.
    static func kind(of document: JSONValue, in dialect: String) -> String? {
        let subjects = document["data"].map { $0.elements ?? [$0] } ?? document.elements ?? [document]
        guard !subjects.isEmpty else { return nil }
        let kinds = subjects.map { subject in
            (marks[dialect] ?? []).first { mark in mark.members.allSatisfy { subject[$0] != nil } }?.name
        }
        return kinds.allSatisfy { $0 == kinds[0] } ? kinds[0] : nil
    }

    private static let marks: [String: [(members: [String], name: String)]] = [
        "twitter": [
            (["ids"], "identifiers only"), (["media_id"], "an uploaded file"),
            (["relationship"], "the relationship of two users"),
            (["count", "url"], "the number of tweets with a link"),
            (["html", "provider_url"], "HTML to embed"), (["full_name", "place_type"], "a place"),
            (["result"], "places"), (["resources"], "rate limits"),
            (["refresh_url", "max_id_str"], "the metadata of a search"),
            (["query", "position"], "a saved search"), (["trends"], "trends"),
        ],
        "twitterV2": [
            (["tweet_count", "start"], "the number of tweets"), (["deleted"], "a deletion"),
            (["state", "id"], "a space"), (["name", "id"], "the metadata of a list"),
        ],
        "mastodon": [
            (["version", "registrations"], "a server"), (["domain", "api_versions"], "a server"),
            (["type", "account", "created_at"], "a notification"),
            (["scheduled_at"], "a scheduled status"), (["text", "spoiler_text"], "the source of a status"),
            (["detected_source_language"], "a translation"),
            (["state", "quoted_status_id"], "the identifier of a quote"),
            (["event"], "an event without a status"),
            (["showing_reblogs"], "the relationship of two accounts"),
            (["title", "image"], "the preview of a link"), (["preview_url", "type"], "a file"),
            (["name", "history"], "a tag"), (["name", "last_status_at"], "a tag"),
            (["notifications"], "read positions"),
        ],
    ]
}
