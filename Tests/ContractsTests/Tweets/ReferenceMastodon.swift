import Foundation
import LenientCoding

/// What section 2 of the contract makes of Mastodon's statuses, worked out a second time and in the plainest way.
struct ReferenceMastodon {
    /// What clients get, without the places of entities; nil where the document is of no kind that is served.
    private(set) var answer: JSONValue?

    init(of value: JSONValue) {
        if let elements = value.elements {
            let hasAccounts = elements.contains { $0.at("acct") != nil }
            answer = .array(elements.filter(Self.isStatus).map(status))
            if hasAccounts { answer = .array(elements.map(account)) }
        } else if let statuses = value["statuses"]?.elements {
            let found = statuses.map(status)
            answer = ["statuses": .array(found), "metadata": .of(["nextMaxId": found.last?["id"]])]
        } else if Self.isStatus(value) {
            answer = status(value)
        } else if value.at("acct") != nil {
            answer = account(value)
        }
    }

    private static func isStatus(_ value: JSONValue) -> Bool {
        value.at("id") != nil && value.at("content") != nil && value.at("created_at") != nil
    }

    /// The text of HTML, by replacing what has a meaning and removing every other tag.
    static func text(_ html: String) -> String {
        let rules = [("<br ?/?>", "\n"), ("</p>\\s*<p[^>]*>", "\n\n"), ("<[^>]*>", "")]
        let plain = rules.reduce(html) {
            $0.replacingOccurrences(of: $1.0, with: $1.1, options: .regularExpression)
        }
        return ReferenceText.unescape(plain).trimmingCharacters(in: .newlines)
    }

    private func status(_ value: JSONValue) -> JSONValue {
        content(value, value.at("reblog").map { content($0, nil) })
    }

    private func content(_ value: JSONValue, _ inner: JSONValue?) -> JSONValue {
        let sent = value.at("quote")
        let quoted = sent?.at("content") == nil ? sent?.at("quoted_status") : sent
        let quotedID = quoted?.at("id") ?? sent?.at("quoted_status_id") ?? value.at("quote_id")
        let replied = value.at("in_reply_to_account_id")
        return .of([
            "id": value.id("id"),
            "createdAt": ReferenceDate.iso8601(value.at("created_at")?.stringValue),
            "fullText": inner?["fullText"] ?? .string(Self.text(value.at("content")?.stringValue ?? "")),
            "lang": value.at("language"),
            "source": value.at("application").map { .of(["name": $0.at("name"), "url": $0.at("website")]) },
            "inReplyToStatusId": value.id("in_reply_to_id"),
            "inReplyToUserId": value.id("in_reply_to_account_id"),
            "inReplyToScreenName": value.at("mentions")?.elements?.first { replied != nil && $0.at("id") == replied }?
                .at("acct"),
            "user": value.at("account").map(account),
            "isQuoteStatus": quotedID.map { _ in true },
            "quotedStatusId": quotedID,
            "quotedStatus": quoted.map { content($0, nil) },
            "retweetedStatus": inner,
            "retweetCount": value.at("reblogs_count"),
            "favoriteCount": value.at("favourites_count"),
            "replyCount": value.at("replies_count"),
            "quoteCount": value.at("quotes_count"),
            "favorited": value.at("favourited"),
            "retweeted": value.at("reblogged"),
            "possiblySensitive": value.at("sensitive"),
            "media": inner == nil ? value.at("media_attachments").map(media) : inner?["media"],
            "poll": inner == nil ? value.at("poll").map(poll) : inner?["poll"],
            "visibility": value.at("visibility"),
            "spoilerText": value.at("spoiler_text"),
            "url": value.at("url") ?? value.at("uri"),
        ])
    }

    private func account(_ value: JSONValue) -> JSONValue {
        .of([
            "id": value.id("id"), "name": value.at("display_name"), "screenName": value.at("acct"),
            "description": value.at("note")?.stringValue.map { .string(Self.text($0)) },
            "location": value.at("location"), "url": value.at("url"), "protected": value.at("locked"),
            "bot": value.at("bot"), "followersCount": value.at("followers_count"),
            "friendsCount": value.at("following_count"), "statusesCount": value.at("statuses_count"),
            "createdAt": ReferenceDate.iso8601(value.at("created_at")?.stringValue),
            "profileImageUrl": value.at("avatar")?.secure, "profileBannerUrl": value.at("header")?.secure,
        ])
    }

    private func media(_ value: JSONValue) -> JSONValue {
        .array(
            (value.elements ?? []).map { sent in
                let type = sent.at("type")?.stringValue
                let size = sent.at("meta")?.at("original")
                return .of([
                    "id": sent.id("id"),
                    "type": type.map { .string(["image": "photo", "gifv": "animatedGif"][$0] ?? $0) },
                    "url": (sent.at("url") ?? sent.at("remote_url") ?? sent.at("preview_url"))?.secure,
                    "altText": sent.at("description"), "width": size?.at("width"), "height": size?.at("height"),
                ])
            })
    }

    private func poll(_ value: JSONValue) -> JSONValue {
        .of([
            "options": .array(
                (value.at("options")?.elements ?? []).enumerated().map { index, option in
                    .of([
                        "position": JSONValue(integerLiteral: index + 1), "text": option.at("title"),
                        "votes": option.at("votes_count"),
                    ])
                }),
            "endTime": ReferenceDate.iso8601(value.at("expires_at")?.stringValue),
        ])
    }
}
