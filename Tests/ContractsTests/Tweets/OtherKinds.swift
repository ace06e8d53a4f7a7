import LenientCoding

/// What upstreams of tweets answer that is no tweet and no user of the contract, told by its members.
enum OtherKinds {
    /// What kind of thing a document that is not served is, with all its elements; nil where nobody has judged it yet.
    static func name(of document: JSONValue, in dialect: String) -> String? {
        let subjects = document["data"].map { $0.elements ?? [$0] } ?? document.elements ?? [document]
        guard !subjects.isEmpty else { return nil }
        let kinds = subjects.map { subject in
            (marks[dialect] ?? []).first { mark in mark.members.allSatisfy { subject[$0] != nil } }?.name
        }
        return kinds.allSatisfy { $0 == kinds[0] } ? kinds[0] : nil
    }

    private static let marks: [String: [(members: [String], name: String)]] = [
        "twitter": [
            (["ids"], "ids, without what they stand for"), (["media_id"], "a file that was sent up"),
            (["relationship"], "how two users stand to each other"), (["count", "url"], "how often a link was sent"),
            (["html", "provider_url"], "HTML to embed"), (["full_name", "place_type"], "a place"),
            (["result"], "places that were found"), (["resources"], "how much may still be asked"),
            (["refresh_url", "max_id_str"], "a search without its tweets"),
            (["query", "position"], "a search that was saved"), (["trends"], "words that many say"),
        ],
        "twitterV2": [
            (["tweet_count", "start"], "how many tweets there are"), (["deleted"], "that something was deleted"),
            (["state", "id"], "a room to talk in"), (["name", "id"], "a list, without what is in it"),
        ],
        "mastodon": [
            (["version", "registrations"], "a server"), (["domain", "api_versions"], "a server"),
            (["type", "account", "created_at"], "that somebody did something: a status in it is what it was done to"),
            (["scheduled_at"], "a status that is not sent yet"), (["text", "spoiler_text"], "the source of a status"),
            (["detected_source_language"], "a translation, without the id and the date of its status"),
            (["state", "quoted_status_id"], "the id of a quote, without the status"),
            (["event"], "an event that brings no status"),
            (["showing_reblogs"], "how two accounts stand to each other"),
            (["title", "image"], "the preview of a link"), (["preview_url", "type"], "a file"),
            (["name", "history"], "a tag"), (["name", "last_status_at"], "a tag"),
            (["notifications"], "how far somebody has read"),
        ],
    ]
}
