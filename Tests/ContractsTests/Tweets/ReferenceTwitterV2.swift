import Foundation
import LenientCoding

/// What section 2 of the contract makes of Twitter v2's tweets, worked out a second time and in the plainest way.
struct ReferenceTwitterV2 {
    private(set) var repairs: Repairs = [:]
    /// What clients get; nil where the document is of no kind that is served.
    private(set) var answer: JSONValue?
    private let includes: JSONValue

    init(of value: JSONValue) {
        includes = value.at("includes") ?? [:]
        strangers(value, "answer")
        repairs["dropped refused"] = value.at("data") == nil ? nil : value.at("errors")?.elements?.count
        // The tweets that came beside the others are read once, however many speak of them.
        for included in includes.at("tweets")?.elements ?? [] { _ = tweet(included, isIncluded: true) }
        guard let data = value.at("data") else {
            answer = value.at("meta")?.at("result_count")?.intValue == 0 ? [] : nil
            return
        }
        if let elements = data.elements {
            if elements.contains(where: { $0.at("username") != nil }) {
                for element in elements { strangers(element, "user") }
                answer = .array(elements.map { user($0) })
                return
            }
            let tweets = elements.filter(Self.isTweet)
            if tweets.count < elements.count { repairs["dropped invalid"] = elements.count - tweets.count }
            for tweet in tweets { strangers(tweet, "tweet") }
            answer = .array(tweets.map { tweet($0, isIncluded: false) })
        } else if data.at("username") != nil {
            strangers(data, "user")
            answer = user(data)
        } else if Self.isTweet(data) {
            strangers(data, "tweet")
            answer = tweet(data, isIncluded: false)
        }
    }

    private mutating func strangers(_ value: JSONValue, _ kind: Substring) {
        ReferenceNames.twitterV2.count(in: value, as: kind, &repairs)
    }

    private static func isTweet(_ value: JSONValue) -> Bool { value.at("id") != nil && value.at("text") != nil }

    private func included(_ key: String, _ id: String?, by name: String = "id") -> JSONValue? {
        id.flatMap { id in includes.at(key)?.elements?.first { $0.at(name)?.stringValue == id } }
    }

    private func reference(_ value: JSONValue, _ type: String) -> String? {
        value.at("referenced_tweets")?.elements?.first { $0.at("type")?.stringValue == type }?.at("id")?.stringValue
    }

    private mutating func tweet(_ value: JSONValue, isIncluded: Bool, isQuoted: Bool = false) -> JSONValue {
        let passedOn = isIncluded ? nil : included("tweets", reference(value, "retweeted"))
        let inner = passedOn.map { quiet { $0.tweet($1, isIncluded: true) }(&self, $0) }
        let quoted = isQuoted ? nil : included("tweets", reference(value, "quoted"))
        let quote = quoted.map { quiet { $0.tweet($1, isIncluded: true, isQuoted: true) }(&self, $0) }
        if value.at("created_at") == nil { repairs["defaulted missing", default: 0] += 1 }
        let best = value.at("note_tweet") ?? value
        let text = ReferenceText(best.at("text")?.stringValue ?? "")
        let entities = best.at("entities").map { self.entities($0, text) }
        let replied = value.at("in_reply_to_user_id")?.stringValue
        let metrics = value.at("public_metrics")
        return .of([
            "id": value.id("id"),
            "createdAt": ReferenceDate.iso8601(value.at("created_at")?.stringValue)
                ?? ReferenceDate.snowflake(value.at("id")?.stringValue),
            "fullText": inner?["fullText"] ?? .string(text.text),
            "lang": value.at("lang"),
            "source": value.at("source").map { ["name": $0] },
            "inReplyToStatusId": reference(value, "replied_to").map { .string($0) },
            "inReplyToUserId": value.at("in_reply_to_user_id"),
            "inReplyToScreenName": included("users", replied)?.at("username"),
            "user": included("users", value.at("author_id")?.stringValue).map { user($0) },
            "coordinates": value.at("geo")?.at("coordinates")?.at("coordinates").map {
                .of(["latitude": $0[1], "longitude": $0[0]])
            },
            "place": included("places", value.at("geo")?.at("place_id")?.stringValue).map(place),
            "isQuoteStatus": reference(value, "quoted").map { _ in true },
            "quotedStatusId": reference(value, "quoted").map { .string($0) },
            "quotedStatus": quote,
            "retweetedStatus": inner,
            "retweetCount": metrics?.at("retweet_count"),
            "favoriteCount": metrics?.at("like_count"),
            "replyCount": metrics?.at("reply_count"),
            "quoteCount": metrics?.at("quote_count"),
            "possiblySensitive": value.at("possibly_sensitive"),
            "entities": inner == nil ? entities : inner?["entities"],
            "media": inner == nil ? media(value, best, entities) : inner?["media"],
            "poll": inner == nil
                ? included("polls", value.at("attachments")?.at("poll_ids")?[0]?.stringValue).map(poll)
                : inner?["poll"],
        ])
    }

    /// Reads what came beside the tweets, whose repairs are counted where they stand.
    private func quiet(
        _ read: @escaping (inout ReferenceTwitterV2, JSONValue) -> JSONValue
    ) -> (inout ReferenceTwitterV2, JSONValue) -> JSONValue {
        { reference, value in
            let repairs = reference.repairs
            defer { reference.repairs = repairs }
            return read(&reference, value)
        }
    }

    private mutating func entities(_ value: JSONValue, _ text: ReferenceText) -> JSONValue {
        .of([
            "hashtags": words(value.at("hashtags"), "#", text),
            "symbols": words(value.at("cashtags"), "$", text),
            "urls": value.at("urls")?.elements.map { links in
                .array(
                    links.map { link in
                        .of([
                            "url": link.at("url"), "expandedUrl": link.at("expanded_url"),
                            "displayUrl": link.at("display_url"),
                            "indices": indices(link, link.at("url")?.stringValue ?? "", text),
                        ])
                    })
            },
            "userMentions": value.at("mentions")?.elements.map { mentions in
                .array(
                    mentions.map { mention in
                        .of([
                            "id": mention.at("id"),
                            "name": included("users", mention.at("id")?.stringValue)?.at("name"),
                            "screenName": mention.at("username"),
                            "indices": indices(mention, "@" + (mention.at("username")?.stringValue ?? ""), text),
                        ])
                    })
            },
        ])
    }

    private mutating func words(_ value: JSONValue?, _ sign: String, _ text: ReferenceText) -> JSONValue? {
        value?.elements.map { words in
            .array(
                words.map { word in
                    .of([
                        "text": word.at("tag"),
                        "indices": indices(word, sign + (word.at("tag")?.stringValue ?? ""), text),
                    ])
                })
        }
    }

    private mutating func indices(_ value: JSONValue, _ spelling: String, _ text: ReferenceText) -> JSONValue? {
        text.place(value.at("start")?.intValue, value.at("end")?.intValue, [spelling], &repairs)
    }

    private func media(_ value: JSONValue, _ best: JSONValue, _ entities: JSONValue?) -> JSONValue? {
        value.at("attachments")?.at("media_keys")?.elements.map { keys in
            .array(
                keys.compactMap { key in
                    guard let sent = included("media", key.stringValue, by: "media_key") else { return nil }
                    let index = best.at("entities")?.at("urls")?.elements?.firstIndex { $0.at("media_key") == key }
                    let link = index.flatMap { entities?["urls"]?[$0] }
                    return .of([
                        "id": key, "type": sent.at("type"), "url": sent.at("url") ?? sent.at("preview_image_url"),
                        "expandedUrl": link?["expandedUrl"], "displayUrl": link?["displayUrl"],
                        "altText": sent.at("alt_text"), "indices": link?["indices"], "width": sent.at("width"),
                        "height": sent.at("height"), "durationMillis": sent.at("duration_ms"),
                        "variants": sent.at("variants")?.elements.map { .array($0.map(variant)) },
                    ])
                })
        }
    }

    private func variant(_ value: JSONValue) -> JSONValue {
        .of(["bitrate": value.at("bit_rate"), "contentType": value.at("content_type"), "url": value.at("url")])
    }

    private func place(_ value: JSONValue) -> JSONValue {
        .of([
            "id": value.at("id"), "name": value.at("name"), "fullName": value.at("full_name"),
            "placeType": value.at("place_type"), "country": value.at("country"),
            "countryCode": value.at("country_code"),
            "boundingBox": value.at("geo"),
        ])
    }

    private func poll(_ value: JSONValue) -> JSONValue {
        .of([
            "options": value.at("options")?.elements.map { options in
                .array(
                    options.map {
                        .of(["position": $0.at("position"), "text": $0.at("label"), "votes": $0.at("votes")])
                    })
            },
            "endTime": ReferenceDate.iso8601(value.at("end_datetime")?.stringValue),
            "durationMinutes": value.at("duration_minutes"),
        ])
    }

    private func user(_ value: JSONValue) -> JSONValue {
        let metrics = value.at("public_metrics")
        return .of([
            "id": value.at("id"), "name": value.at("name"), "screenName": value.at("username"),
            "description": value.at("description"), "location": value.at("location"), "url": value.at("url"),
            "protected": value.at("protected"), "verified": value.at("verified"),
            "followersCount": metrics?.at("followers_count"), "friendsCount": metrics?.at("following_count"),
            "listedCount": metrics?.at("listed_count"), "favouritesCount": metrics?.at("like_count"),
            "statusesCount": metrics?.at("tweet_count"),
            "createdAt": ReferenceDate.iso8601(value.at("created_at")?.stringValue),
            "profileImageUrl": value.at("profile_image_url")?.secure,
        ])
    }
}
