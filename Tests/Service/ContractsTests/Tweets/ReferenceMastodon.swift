import ContractsSupport
import Foundation
import Records

/// A second, plain implementation of section 2 of the contract for Mastodon's statuses.
struct ReferenceMastodon {
    private(set) var repairs: Repairs = [:]
    /// The expected document; nil if it must be refused.
    private(set) var answer: JSONValue?

    init(of value: JSONValue) {
        if let elements = value.elements {
            let isOfAccounts = elements.contains(where: Self.isAccount) && !elements.contains { $0["content"] != nil }
            let kept = elements.compactMap { isOfAccounts ? accountElement($0) : statusElement($0) }
            answer = JSONValue.array(kept).unlessLost(of: elements)
        } else if let list = value["statuses"] {
            guard let elements = list.elements else { return }
            _ = clean(value, "search")
            let found = elements.compactMap { statusElement($0) }
            let whole: JSONValue = ["statuses": .array(found), "metadata": .of(["nextMaxId": found.last?["id"]])]
            answer = whole.unlessLost(of: elements)
        } else if let name = Self.envelope(of: value) {
            answer = open(value, by: name)
        } else if Self.isAccount(value) {
            answer = clean(value, "account").value.flatMap { account($0) }
        } else {
            answer = clean(value, "status").value.flatMap { status($0) }
        }
    }

    /// Returns the member that identifies an envelope of statuses.
    private static func envelope(of value: JSONValue) -> String? {
        let names = [
            ("ancestors", "descendants"), ("quoted_status", "quoted_status_id"), ("event", "event"),
        ]
        return value["content"] == nil ? names.first { value[$0.0] != nil || value[$0.1] != nil }?.0 : nil
    }

    /// Returns the statuses of an envelope.
    private mutating func open(_ value: JSONValue, by name: String) -> JSONValue? {
        switch name {
        case "ancestors":
            _ = clean(value, "conversation")
            let lists = ["ancestors", "descendants"].compactMap { value.at($0) }
            for list in lists where list.elements == nil { repairs["dropped mistyped", default: 0] += 1 }
            let elements = lists.compactMap(\.elements)
            if elements.isEmpty { return .none }
            let sent = Array(elements.joined())
            return JSONValue.array(sent.compactMap { statusElement($0) }).unlessLost(of: sent)
        case "quoted_status":
            let names = JSONValue.object((value.members ?? []).filter { $0.key != name })
            _ = clean(names, "envelope")
            return value.at(name).flatMap { clean($0, "status").value }.flatMap { status($0) }
        default:
            _ = clean(value, "event")
            let payload = value.at("payload")
            return (payload?.stringValue.flatMap { JSONValue(parsing: Array($0.utf8)) } ?? payload)
                .flatMap { clean($0, "status").value }.flatMap { status($0) }
        }
    }

    private static func isAccount(_ value: JSONValue) -> Bool { value["acct"] != nil && value["content"] == nil }

    private mutating func clean(_ value: JSONValue, _ type: Substring) -> ReferenceTable.Outcome {
        ReferenceTable.mastodon.clean(value, as: type, &repairs)
    }

    private mutating func statusElement(_ element: JSONValue) -> JSONValue? {
        self.element(element, "status") { $0.status($1) }
    }

    private mutating func accountElement(_ element: JSONValue) -> JSONValue? {
        self.element(element, "account") { $0.account($1) }
    }

    /// Reads an element of a list.
    ///
    /// An element without a required member is dropped, and repairs inside it do not count.
    private mutating func element(
        _ element: JSONValue, _ type: Substring, _ make: (inout ReferenceMastodon, JSONValue) -> JSONValue?
    ) -> JSONValue? {
        let before = repairs
        switch clean(element, type) {
        case .value(let clean): return usable(make(&self, clean), before)
        case .refused(let reason):
            repairs["dropped \(reason)", default: 0] += 1
            return nil
        }
    }

    /// Reads a part of a status.
    ///
    /// A part without a required member is dropped, and repairs inside it do not count.
    private mutating func part(
        _ value: JSONValue?, _ make: (inout ReferenceMastodon, JSONValue) -> JSONValue?
    ) -> JSONValue? {
        guard let value else { return nil }
        let before = repairs
        return usable(make(&self, value), before)
    }

    private mutating func usable(_ made: JSONValue?, _ before: Repairs) -> JSONValue? {
        if made == nil {
            repairs = before
            repairs["dropped invalid", default: 0] += 1
        }
        return made
    }

    /// Returns the text as HTML, converted from plain text if necessary.
    private static func html(_ value: JSONValue) -> String? {
        if let html = value["content"]?.stringValue { return html }
        let plain = value["pleroma"]?["content"]?["text/plain"] ?? value["content_text"]
        let escaped = plain?.stringValue.map { text in
            [("&", "&amp;"), ("<", "&lt;"), ("\n", "<br>")].reduce(text) {
                $0.replacingOccurrences(of: $1.0, with: $1.1)
            }
        }
        // Null is an empty text.
        return escaped ?? value["content"].map { _ in "" }
    }

    /// Returns the text of HTML, with line breaks for paragraphs and `<br>` and without other tags.
    static func text(_ html: String) -> String {
        let rules = [("<br ?/?>", "\n"), ("</p>\\s*<p[^>]*>", "\n\n"), ("<[a-zA-Z/!?][^>]*>", "")]
        let plain = rules.reduce(html) {
            $0.replacingOccurrences(of: $1.0, with: $1.1, options: .regularExpression)
        }
        return ReferenceText.unescape(plain).trimmingCharacters(in: .newlines)
    }

    private mutating func status(_ value: JSONValue) -> JSONValue? {
        guard let reblog = value["reblog"] else { return content(value, nil) }
        return content(reblog, nil).flatMap { content(value, $0) }
    }

    private mutating func content(_ value: JSONValue, _ inner: JSONValue?, isQuote: Bool = false) -> JSONValue? {
        guard value["id"] != nil, value["created_at"] != nil, var html = inner == nil ? Self.html(value) : "" else {
            return nil
        }
        let pleroma = value["pleroma"]
        let sent = value["quote"] ?? pleroma?["quote"]
        let isStatus = sent?["quoted_status"] == nil && sent?["quoted_status_id"] == nil
        let quoted = isStatus ? sent : sent?["quoted_status"]
        let named = value["quote_id"] ?? pleroma?["quote_id"]
        let quotedID = (isStatus || quoted != nil ? quoted?["id"] : sent?["quoted_status_id"]) ?? named
        let quote = isQuote ? nil : part(quoted) { $0.content($1, nil, isQuote: true) }
        if quote != nil { html = html.replacing(/<p class="quote-inline">.*?<\/p>/, with: "") }
        let replied = value["in_reply_to_account_id"]
        var links = ReferenceLinks(html)
        let quotes = value["quotes_count"] ?? pleroma?["quotes_count"]
        let mentioned = value["mentions"]?.elements?.first { replied != nil && $0["id"] == replied }?["acct"]
        let source = value["application"].map { JSONValue.of(["name": $0["name"], "url": $0["website"]]) }
        let place = value["place"].map {
            JSONValue.of(["id": $0.id("id"), "name": $0["name"], "country": $0["country"]])
        }
        let entities = links.entities(mentions: value["mentions"], tags: value["tags"])
        let media = inner == nil ? value["media_attachments"].map { self.media($0) } : inner?["media"]
        let poll = value["poll"].map(self.poll)
        return .of([
            "id": value.id("id"),
            "createdAt": ReferenceDate.iso8601(value["created_at"]?.stringValue),
            "fullText": inner?["fullText"] ?? .string(Self.text(html)),
            "lang": value["language"],
            "source": source,
            "inReplyToStatusId": value.id("in_reply_to_id"),
            "inReplyToUserId": value.id("in_reply_to_account_id"),
            "inReplyToScreenName": mentioned ?? pleroma?["in_reply_to_account_acct"],
            "user": part(value["account"]) { $0.account($1) },
            "place": place,
            "isQuoteStatus": quotedID.map { _ in true },
            "quotedStatusId": quotedID,
            "quotedStatus": quote,
            "retweetedStatus": inner,
            "retweetCount": value["reblogs_count"],
            "favoriteCount": value["favourites_count"],
            "replyCount": value["replies_count"] ?? value["reply_count"],
            "quoteCount": quotes,
            "favorited": value["favourited"],
            "retweeted": value["reblogged"],
            "possiblySensitive": value["sensitive"],
            "entities": inner == nil ? entities : inner?["entities"],
            "media": media,
            "poll": inner == nil ? poll : inner?["poll"],
            "visibility": value["visibility"],
            "spoilerText": value["spoiler_text"],
            "url": value["url"] ?? value["uri"],
        ])
    }

    private func account(_ value: JSONValue) -> JSONValue? {
        guard let id = value.id("id") else { return nil }
        return .of([
            "id": id, "name": value["display_name"], "screenName": value["acct"] ?? value["username"],
            "description": value["note"]?.stringValue.map { .string(Self.text($0)) },
            "location": value["location"], "url": value["url"], "protected": value["locked"],
            "bot": value["bot"], "followersCount": value["followers_count"],
            "friendsCount": value["following_count"],
            "statusesCount": value["statuses_count"],
            "createdAt": ReferenceDate.iso8601(value["created_at"]?.stringValue),
            "profileImageUrl": value["avatar"]?.secure, "profileBannerUrl": value["header"]?.secure,
        ])
    }

    private mutating func media(_ value: JSONValue) -> JSONValue {
        .array(
            (value.elements ?? []).compactMap { sent in
                guard sent.id("id") != nil else {
                    repairs["dropped invalid", default: 0] += 1
                    return nil
                }
                let type = sent["type"]?.stringValue
                if let type, !["image", "photo", "video", "gifv", "animatedGif", "audio", "unknown"].contains(type) {
                    repairs["unrecognized unknownValue", default: 0] += 1
                }
                let size = sent["meta"]?["original"]
                return .of([
                    "id": sent.id("id"),
                    "type": type.map { .string(["image": "photo", "gifv": "animatedGif"][$0] ?? $0) },
                    "url": (sent["url"] ?? sent["remote_url"] ?? sent["preview_url"])?.secure,
                    "previewUrl": type == "audio" ? sent["preview_url"]?.secure : nil,
                    "altText": sent["description"], "width": size?["width"], "height": size?["height"],
                    "durationMillis": size?["duration"]?.doubleValue.flatMap {
                        0...1e9 ~= $0 ? JSONValue(integerLiteral: Int(($0 * 1000).rounded())) : nil
                    },
                ])
            })
    }

    private func poll(_ value: JSONValue) -> JSONValue {
        .of([
            "options": value["options"]?.elements.map { options in
                .array(
                    options.enumerated().map { index, option in
                        .of([
                            "position": JSONValue(integerLiteral: index + 1), "text": option["title"],
                            "votes": option["votes_count"],
                        ])
                    })
            },
            "endTime": ReferenceDate.iso8601(value["expires_at"]?.stringValue),
        ])
    }
}
