import Foundation
import LenientCoding

/// What section 2 of the contract makes of Mastodon's statuses, worked out a second time and in the plainest way.
struct ReferenceMastodon {
    private(set) var repairs: Repairs = [:]
    /// What clients get; nil where the document is of no kind that is served.
    private(set) var answer: JSONValue?

    init(of value: JSONValue) {
        if let elements = value.elements {
            let isOfAccounts = elements.contains { $0.at("acct") != nil } && !elements.contains { $0["content"] != nil }
            answer = .array(isOfAccounts ? accounts(elements) : statuses(elements))
        } else if let elements = value["statuses"]?.elements {
            let found = statuses(elements)
            answer = ["statuses": .array(found), "metadata": .of(["nextMaxId": found.last?["id"]])]
            strangers(value, "search")
        } else if Self.isStatus(value) {
            answer = statuses([value]).first
        } else if value.at("acct") != nil {
            answer = accounts([value]).first
        } else {
            open(value)
        }
    }

    /// Envelopes with statuses in them.
    private mutating func open(_ value: JSONValue) {
        let lists = ["ancestors", "descendants"].compactMap { value.at($0)?.elements }
        if !lists.isEmpty {
            answer = .array(lists.flatMap { statuses($0) })
            strangers(value, "conversation")
        } else if let status = value.at("quoted_status"), Self.isStatus(status) {
            answer = statuses([status]).first
            strangers(value, "envelope")
        } else if let payload = value.at("payload"),
            case let status = payload.stringValue.flatMap({ JSONValue(parsing: Array($0.utf8)) }) ?? payload,
            Self.isStatus(status)
        {
            answer = statuses([status]).first
            strangers(value, "event")
        }
    }

    private mutating func statuses(_ elements: [JSONValue]) -> [JSONValue] {
        drop(elements, unless: Self.isStatus)
        return elements.filter(Self.isStatus).map { value in
            strangers(value, "status")
            return status(value)
        }
    }

    private mutating func accounts(_ elements: [JSONValue]) -> [JSONValue] {
        elements.compactMap { value in
            strangers(value, "account")
            return account(value)
        }
    }

    private mutating func strangers(_ value: JSONValue, _ kind: Substring) {
        ReferenceNames.mastodon.count(in: value, as: kind, &repairs) { value, kind in
            switch kind {
            case "tag": value.at("name") != nil
            case "quote": value.at("content") == nil
            default: true
            }
        }
        // Akkoma quotes a status as it is.
        for quote in [value.at("quote"), value.at("pleroma")?.at("quote")] {
            if let quote, quote.at("content") != nil { strangers(quote, "status") }
        }
    }

    private mutating func drop(_ elements: [JSONValue], unless isKept: (JSONValue) -> Bool) {
        for element in elements where !isKept(element) {
            repairs[element.members == nil ? "dropped mistyped" : "dropped invalid", default: 0] += 1
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

    private mutating func status(_ value: JSONValue) -> JSONValue {
        let inner = usable(value.at("reblog")).map { content($0, nil) }
        return content(value, inner)
    }

    /// A status within another one; one that is none is dropped.
    private mutating func usable(_ inner: JSONValue?) -> JSONValue? {
        guard let inner, !Self.isStatus(inner) else { return inner }
        repairs["dropped invalid", default: 0] += 1
        return nil
    }

    private mutating func content(_ value: JSONValue, _ inner: JSONValue?) -> JSONValue {
        let pleroma = value.at("pleroma")
        let sent = value.at("quote") ?? pleroma?.at("quote")
        let quoted = sent?.at("content") == nil ? sent?.at("quoted_status") : sent
        if let sent, quoted == nil, sent.at("quoted_status_id") == nil { repairs["dropped refused", default: 0] += 1 }
        let quotedID =
            quoted?.at("id") ?? sent?.at("quoted_status_id") ?? value.at("quote_id")
            ?? pleroma?.at("quote_id")
        let quote = usable(quoted).map { content($0, nil).without("quotedStatus") }
        let replied = value.at("in_reply_to_account_id")
        let html = value.at("content")?.stringValue ?? ""
        var links = ReferenceLinks(html)
        let quotes = value.count("quotes_count", &repairs) ?? pleroma?.count("quotes_count", &repairs)
        let replies = value.count("replies_count", &repairs) ?? value.count("reply_count", &repairs)
        let mentioned = value.at("mentions")?.elements?.first { replied != nil && $0.at("id") == replied }?.at("acct")
        let source = value.at("application").map { JSONValue.of(["name": $0.at("name"), "url": $0.at("website")]) }
        let place = value.at("place").map {
            JSONValue.of(["id": $0.id("id"), "name": $0.at("name"), "country": $0.at("country")])
        }
        for tag in value.at("tags")?.elements ?? [] where tag.at("name") == nil {
            repairs["dropped invalid", default: 0] += 1
        }
        let entities = links.entities(mentions: value.at("mentions"), tags: value.at("tags"))
        let media = inner == nil ? value.at("media_attachments").map { self.media($0) } : inner?["media"]
        let poll = value.at("poll").map(self.poll)
        return .of([
            "id": value.id("id"),
            "createdAt": ReferenceDate.iso8601(value.at("created_at")?.stringValue),
            "fullText": inner?["fullText"] ?? .string(Self.text(html)),
            "lang": value.at("language"),
            "source": source,
            "inReplyToStatusId": value.id("in_reply_to_id"),
            "inReplyToUserId": value.id("in_reply_to_account_id"),
            "inReplyToScreenName": mentioned ?? pleroma?.at("in_reply_to_account_acct"),
            "user": value.at("account").flatMap { account($0) },
            "place": place,
            "isQuoteStatus": quotedID.map { _ in true },
            "quotedStatusId": quotedID,
            "quotedStatus": quote,
            "retweetedStatus": inner,
            "retweetCount": value.count("reblogs_count", &repairs),
            "favoriteCount": value.count("favourites_count", &repairs),
            "replyCount": replies,
            "quoteCount": quotes,
            "favorited": value.at("favourited"),
            "retweeted": value.at("reblogged"),
            "possiblySensitive": value.at("sensitive"),
            "entities": inner == nil ? entities : inner?["entities"],
            "media": media,
            "poll": inner == nil ? poll : inner?["poll"],
            "visibility": value.at("visibility"),
            "spoilerText": value.at("spoiler_text"),
            "url": value.at("url") ?? value.at("uri"),
        ])
    }

    private mutating func account(_ value: JSONValue) -> JSONValue? {
        guard let id = value.id("id") else {
            repairs["dropped invalid", default: 0] += 1
            return nil
        }
        return .of([
            "id": id, "name": value.at("display_name"), "screenName": value.at("acct"),
            "description": value.at("note")?.stringValue.map { .string(Self.text($0)) },
            "location": value.at("location"), "url": value.at("url"), "protected": value.at("locked"),
            "bot": value.at("bot"), "followersCount": value.count("followers_count", &repairs),
            "friendsCount": value.count("following_count", &repairs),
            "statusesCount": value.count("statuses_count", &repairs),
            "createdAt": ReferenceDate.iso8601(value.at("created_at")?.stringValue),
            "profileImageUrl": value.at("avatar")?.secure, "profileBannerUrl": value.at("header")?.secure,
        ])
    }

    private mutating func media(_ value: JSONValue) -> JSONValue {
        .array(
            (value.elements ?? []).compactMap { sent in
                guard sent.id("id") != nil else {
                    repairs["dropped invalid", default: 0] += 1
                    return nil
                }
                let type = sent.at("type")?.stringValue
                if let type, !["image", "video", "gifv"].contains(type) {
                    repairs["unrecognized unknownValue", default: 0] += 1
                }
                let size = sent.at("meta")?.at("original")
                return .of([
                    "id": sent.id("id"),
                    "type": type.map { .string(["image": "photo", "gifv": "animatedGif"][$0] ?? $0) },
                    "url": (sent.at("url") ?? sent.at("remote_url") ?? sent.at("preview_url"))?.secure,
                    "altText": sent.at("description"), "width": size?.at("width"), "height": size?.at("height"),
                    "durationMillis": size?.at("duration")?.doubleValue.map {
                        JSONValue(integerLiteral: Int(($0 * 1000).rounded()))
                    },
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
