import Foundation
import Records

/// A second, plain implementation of section 2 of the contract for Twitter v2's tweets.
struct ReferenceTwitterV2 {
    private(set) var repairs: Repairs = [:]
    /// The expected document; nil if it must be refused.
    private(set) var answer: JSONValue?
    private var includes: JSONValue = [:]

    init(of sent: JSONValue) {
        let value = Self.inOldNames(sent)
        guard let whole = ReferenceTable.twitterV2.clean(value, as: "answer", &repairs).value else { return }
        includes = whole["includes"] ?? [:]
        for _ in value["errors"]?.elements ?? [] { repairs["dropped refused", default: 0] += 1 }
        guard let data = value.at("data") else {
            answer = whole["meta"]?["result_count"]?.intValue == 0 ? [] : nil
            return
        }
        // Included objects are read once, however many tweets refer to them.
        includes["media"] = includes["media"].map { .array(($0.elements ?? []).map { checked($0) }) }
        includes["tweets"] = includes["tweets"].map { list in
            .array((list.elements ?? []).filter { readable($0) })
        }
        if let elements = data.elements {
            let hasUsers = elements.contains(where: Self.isUser) && !elements.contains { $0["text"] != nil }
            let kept = elements.compactMap { hasUsers ? cleanUser($0, isElement: true) : element($0) }
            answer = JSONValue.array(kept).unlessLost(of: elements)
        } else if Self.isUser(data) {
            answer = cleanUser(data, isElement: false)
        } else if let status = ReferenceTable.twitterV2.clean(data, as: "tweet", &repairs).value, Self.isDated(status) {
            answer = tweet(status, isIncluded: false)
        }
    }

    /// The names since version 2.167 of X's specification, and those before it.
    private static let oldNames = [
        "note_post": "note_tweet", "referenced_posts": "referenced_tweets", "repost_count": "retweet_count",
        "post_count": "tweet_count",
    ]

    private static func inOldNames(_ value: JSONValue, in parent: String = "") -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map { inOldNames($0) })
        case .object(let members):
            .object(
                members.map { member in
                    let old = parent == "includes" && member.key == "posts" ? "tweets" : oldNames[member.key]
                    return .init(old ?? member.key, inOldNames(member.value, in: member.key))
                })
        default: value
        }
    }

    private static func isUser(_ value: JSONValue) -> Bool { value["username"] != nil && value["text"] == nil }

    private static func isDated(_ tweet: JSONValue) -> Bool {
        tweet["created_at"] != nil || ReferenceDate.snowflake(tweet["id"]?.stringValue) != nil
    }

    private mutating func cleanUser(_ value: JSONValue, isElement: Bool) -> JSONValue? {
        switch ReferenceTable.twitterV2.clean(value, as: "user", &repairs) {
        case .value(let clean): return user(clean)
        case .refused(let reason):
            if isElement { repairs["dropped \(reason)", default: 0] += 1 }
            return nil
        }
    }

    private mutating func element(_ value: JSONValue) -> JSONValue? {
        let before = repairs
        var reason = "invalid"
        switch ReferenceTable.twitterV2.clean(value, as: "tweet", &repairs) {
        case .value(let clean) where Self.isDated(clean): return tweet(clean, isIncluded: false)
        case .value: break
        case .refused(let given): reason = given
        }
        repairs = before
        repairs["dropped \(reason)", default: 0] += 1
        return nil
    }

    /// Whether an included tweet is usable; its repairs are counted here.
    private mutating func readable(_ value: JSONValue) -> Bool {
        guard Self.isDated(value) else {
            repairs["dropped invalid", default: 0] += 1
            return false
        }
        _ = tweet(value, isIncluded: true)
        return true
    }

    private mutating func checked(_ media: JSONValue) -> JSONValue {
        if let type = media["type"]?.stringValue,
            !["photo", "video", "animated_gif", "animatedGif", "audio", "unknown"].contains(type)
        {
            repairs["unrecognized unknownValue", default: 0] += 1
        }
        return media
    }

    private func included(_ key: String, _ id: String?, by name: String = "id") -> JSONValue? {
        id.flatMap { id in includes[key]?.elements?.first { $0[name]?.stringValue == id } }
    }

    private func reference(_ value: JSONValue, _ type: String) -> String? {
        value["referenced_tweets"]?.elements?.first { $0["type"]?.stringValue == type }?["id"]?.stringValue
    }

    private mutating func tweet(_ value: JSONValue, isIncluded: Bool, isQuoted: Bool = false) -> JSONValue {
        let retweeted = isIncluded ? nil : included("tweets", reference(value, "retweeted"))
        let inner = retweeted.map { withoutCounting { $0.tweet($1, isIncluded: true) }(&self, $0) }
        let quoted = isQuoted ? nil : included("tweets", reference(value, "quoted"))
        let quote = quoted.map { withoutCounting { $0.tweet($1, isIncluded: true, isQuoted: true) }(&self, $0) }
        if value["created_at"] == nil { repairs["defaulted missing", default: 0] += 1 }
        let best = value["note_tweet"] ?? value
        let text = ReferenceText(best["text"]?.stringValue ?? "")
        let range = value["note_tweet"] == nil ? text.range(value["display_text_range"], &repairs) : .none
        let entities = best["entities"].map { self.entities($0, text) }
        let replied = value["in_reply_to_user_id"]?.stringValue
        let metrics = value["public_metrics"]
        return .of([
            "id": value.id("id"),
            "createdAt": ReferenceDate.iso8601(value["created_at"]?.stringValue)
                ?? ReferenceDate.snowflake(value["id"]?.stringValue),
            "fullText": inner?["fullText"] ?? .string(text.text),
            "displayTextRange": inner == nil ? range : inner?["displayTextRange"],
            "lang": value["lang"],
            "source": (value["source"]?.stringValue).map { ["name": .string(ReferenceText.unescape($0))] },
            "inReplyToStatusId": reference(value, "replied_to").map { .string($0) },
            "inReplyToUserId": value["in_reply_to_user_id"],
            "inReplyToScreenName": included("users", replied)?["username"],
            "user": value["author_id"]?.stringValue.map { author($0) },
            "coordinates": value["geo"]?["coordinates"]?["coordinates"].flatMap {
                .coordinates($0[1], $0[0], &repairs)
            },
            "place": included("places", value["geo"]?["place_id"]?.stringValue).map(place),
            "isQuoteStatus": reference(value, "quoted").map { _ in true },
            "quotedStatusId": reference(value, "quoted").map { .string($0) },
            "quotedStatus": quote,
            "retweetedStatus": inner,
            "retweetCount": metrics?["retweet_count"],
            "favoriteCount": metrics?["like_count"],
            "replyCount": metrics?["reply_count"],
            "quoteCount": metrics?["quote_count"],
            "bookmarkCount": metrics?["bookmark_count"],
            "impressionCount": metrics?["impression_count"],
            "possiblySensitive": value["possibly_sensitive"],
            "entities": inner == nil ? entities : inner?["entities"],
            "media": inner == nil ? media(value, best, entities) : inner?["media"],
            "poll": inner == nil
                ? value["attachments"]?["poll_ids"]?.elements?.compactMap { included("polls", $0.stringValue) }.first
                    .map(poll) : inner?["poll"],
            "withheldInCountries": value["withheld"]?["country_codes"],
            "withheldScope": value["withheld"]?["scope"].map { $0 == "post" ? "tweet" : $0 },
        ])
    }

    /// Reads an included object without counting its repairs, which `init` has counted.
    private func withoutCounting(
        _ read: @escaping (inout ReferenceTwitterV2, JSONValue) -> JSONValue
    ) -> (inout ReferenceTwitterV2, JSONValue) -> JSONValue {
        { reference, value in
            let repairs = reference.repairs
            defer { reference.repairs = repairs }
            return read(&reference, value)
        }
    }

    private mutating func author(_ id: String) -> JSONValue {
        if let found = included("users", id) { return user(found) }
        repairs["defaulted missing", default: 0] += 1
        return ["id": .string(id)]
    }

    private mutating func entities(_ value: JSONValue, _ text: ReferenceText) -> JSONValue {
        .of([
            "hashtags": words(value["hashtags"], ["#", "＃"], text),
            "symbols": words(value["cashtags"], ["$"], text),
            "urls": value["urls"]?.elements.map { links in
                .array(
                    links.compactMap { link in
                        guard link.hasAddress else {
                            repairs["dropped invalid", default: 0] += 1
                            return nil
                        }
                        let url = (link["url"]?.stringValue).map(ReferenceText.unescape)
                        return .of([
                            "url": url.map { .string($0) }, "expandedUrl": link["expanded_url"],
                            "displayUrl": link["display_url"],
                            "indices": indices(link, [""], url, text, displayed: link["display_url"]?.stringValue),
                        ])
                    })
            },
            "userMentions": value["mentions"]?.elements.map { mentions in
                .array(
                    mentions.map { mention in
                        .of([
                            "id": mention["id"],
                            "name": included("users", mention["id"]?.stringValue)?["name"],
                            "screenName": mention["username"],
                            "indices": indices(mention, ["@", "＠"], mention["username"]?.stringValue, text),
                        ])
                    })
            },
        ])
    }

    private mutating func words(_ value: JSONValue?, _ signs: [String], _ text: ReferenceText) -> JSONValue? {
        value?.elements.map { words in
            .array(
                words.map { word in
                    .of(["text": word["tag"], "indices": indices(word, signs, word["tag"]?.stringValue, text)])
                })
        }
    }

    /// Returns the indices of a word after one of `signs`; without a word there are none.
    private mutating func indices(
        _ value: JSONValue, _ signs: [String], _ word: String?, _ text: ReferenceText, displayed: String? = nil
    ) -> JSONValue? {
        let start = value["start"]?.intValue, end = value["end"]?.intValue
        if start == nil, end == nil { return nil }
        return text.place(
            start ?? -1, end ?? -1, word.map { word in signs.map { $0 + word } } ?? [], displayed: displayed, &repairs)
    }

    private func media(_ value: JSONValue, _ best: JSONValue, _ entities: JSONValue?) -> JSONValue? {
        value["attachments"]?["media_keys"]?.elements.map { keys in
            .array(
                keys.compactMap { key in
                    guard let sent = included("media", key.stringValue, by: "media_key") else { return nil }
                    let index = best["entities"]?["urls"]?.elements?.filter(\.hasAddress).firstIndex {
                        $0["media_key"] == key
                    }
                    let link = index.flatMap { entities?["urls"]?[$0] }
                    return .of([
                        "id": key,
                        "type": (sent["type"]?.stringValue).map {
                            .string($0 == "animated_gif" ? "animatedGif" : $0)
                        },
                        "url": (sent["url"] ?? sent["preview_image_url"])?.secure,
                        "expandedUrl": link?["expandedUrl"], "displayUrl": link?["displayUrl"],
                        "altText": sent["alt_text"], "indices": link?["indices"], "width": sent["width"],
                        "height": sent["height"], "durationMillis": sent["duration_ms"],
                        "variants": sent["variants"]?.elements.map { .array($0.map(variant)) },
                    ])
                })
        }
    }

    private func variant(_ value: JSONValue) -> JSONValue {
        .of(["bitrate": value["bit_rate"], "contentType": value["content_type"], "url": value["url"]])
    }

    private func place(_ value: JSONValue) -> JSONValue {
        .of([
            "id": value["id"], "name": value["name"], "fullName": value["full_name"],
            "placeType": value["place_type"], "country": value["country"],
            "countryCode": value["country_code"],
            "boundingBox": value["geo"]?.withoutNulls,
        ])
    }

    private func poll(_ value: JSONValue) -> JSONValue {
        .of([
            "options": value["options"]?.elements.map { options in
                .array(
                    options.map {
                        .of(["position": $0["position"], "text": $0["label"], "votes": $0["votes"]])
                    })
            },
            "endTime": ReferenceDate.iso8601(value["end_datetime"]?.stringValue),
            "durationMinutes": value["duration_minutes"],
        ])
    }

    private func user(_ value: JSONValue) -> JSONValue {
        let metrics = value["public_metrics"]
        return .of([
            "id": value["id"], "name": value["name"], "screenName": value["username"],
            "description": value["description"], "location": value["location"], "url": value.website,
            "protected": value["protected"], "verified": value["verified"],
            "followersCount": metrics?["followers_count"], "friendsCount": metrics?["following_count"],
            "listedCount": metrics?["listed_count"], "favouritesCount": metrics?["like_count"],
            "statusesCount": metrics?["tweet_count"],
            "createdAt": ReferenceDate.iso8601(value["created_at"]?.stringValue),
            "profileImageUrl": value["profile_image_url"]?.secure,
            "profileBannerUrl": value["profile_banner_url"]?.secure,
            "withheldInCountries": value["withheld"]?["country_codes"],
        ])
    }
}
