import Foundation
import LenientCoding

/// What section 2 of the contract makes of Twitter v1.1's tweets, worked out a second time and in the plainest way.
struct ReferenceTwitter {
    private(set) var repairs: Repairs = [:]
    /// What clients get; nil where the document is of no kind that is served.
    private(set) var answer: JSONValue?

    init(of value: JSONValue) {
        if let elements = value.elements {
            let hasUsers = !elements.contains(where: Self.isTweet) && elements.contains(where: Self.isUser)
            answer = .array(hasUsers ? users(elements) : tweets(elements))
        } else if let statuses = value["statuses"]?.elements ?? value["results"]?.elements {
            let facts = value.at("search_metadata")
            answer = .of([
                "statuses": .array(tweets(statuses)),
                "metadata": .of([
                    "query": facts?.at("query")?.stringValue
                        .flatMap { $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding }
                        .map { .string($0) },
                    "count": facts?.at("count"),
                    "nextMaxId": facts?.at("next_results")?.stringValue.flatMap(Self.maxID).map { .string($0) },
                    "next": value.at("next"),
                ]),
            ])
            strangers(value, "search")
        } else if Self.isTweet(value) {
            answer = tweets([value]).first
        } else if Self.isUser(value) {
            answer = users([value]).first
        } else if let elements = value["users"]?.elements {
            answer = .array(users(elements))
            strangers(value, "page")
        }
    }

    private mutating func tweets(_ elements: [JSONValue]) -> [JSONValue] {
        kept(elements, Self.isTweet).map { value in
            strangers(value, "tweet")
            return tweet(value)
        }
    }

    private mutating func users(_ elements: [JSONValue]) -> [JSONValue] {
        kept(elements, Self.isUser).map { value in
            strangers(value, "user")
            return user(value)
        }
    }

    /// The elements that are of a kind; the others are counted.
    private mutating func kept(_ elements: [JSONValue], _ isKept: (JSONValue) -> Bool) -> [JSONValue] {
        for element in elements where !isKept(element) {
            repairs[element.members == nil ? "dropped mistyped" : "dropped invalid", default: 0] += 1
        }
        return elements.filter(isKept)
    }

    private mutating func strangers(_ value: JSONValue, _ kind: Substring) {
        ReferenceNames.twitter.count(in: value, as: kind, &repairs) { $1 != "tweet" || Self.isTweet($0) }
    }

    private static func isTweet(_ value: JSONValue) -> Bool {
        (value.at("text") ?? value.at("full_text"))?.stringValue != nil && value.id("id_str", "id") != nil
            && ReferenceDate.twitter(value.at("created_at")?.stringValue) != nil
    }

    private static func isUser(_ value: JSONValue) -> Bool {
        value.at("screen_name") != nil && value.id("id_str", "id") != nil && value["text"] == nil
    }

    private static func maxID(_ query: String) -> String? {
        URLComponents(string: query)?.queryItems?.first { $0.name == "max_id" }?.value
    }

    /// A tweet; `inner` is the tweet that it passes on.
    private mutating func tweet(_ value: JSONValue) -> JSONValue {
        let inner = usable(value.at("retweeted_status")).map { content($0, nil, nil) }
        return content(value, inner, inner)
    }

    /// A tweet within another one; one that is none is dropped.
    private mutating func usable(_ inner: JSONValue?) -> JSONValue? { inner.flatMap { kept([$0], Self.isTweet).first } }

    private mutating func content(_ value: JSONValue, _ inner: JSONValue?, _ retweet: JSONValue?) -> JSONValue {
        let extended = value.at("extended_tweet")?.at("full_text") == nil ? Optional.none : value.at("extended_tweet")
        let best = extended ?? value
        let sent = (best.at("full_text") ?? best.at("text"))?.stringValue ?? ""
        let text = ReferenceText(sent)
        let range = inner == nil ? text.range(best.at("display_text_range"), &repairs) : inner?["displayTextRange"]
        let entities = inner == nil ? best.at("entities").map { self.entities($0, text) } : inner?["entities"]
        let attached = best.at("extended_entities")?.at("media") ?? best.at("entities")?.at("media")
        let media = inner == nil ? attached?.elements.map { list in self.media(list, text) } : inner?["media"]
        return .of([
            "id": value.id("id_str", "id"),
            "createdAt": ReferenceDate.twitter(value.at("created_at")?.stringValue),
            "fullText": inner?["fullText"] ?? .string(text.text),
            "displayTextRange": range,
            "lang": value.at("lang"),
            "source": source(value.at("source")?.stringValue),
            "inReplyToStatusId": value.id("in_reply_to_status_id_str", "in_reply_to_status_id"),
            "inReplyToUserId": value.id("in_reply_to_user_id_str", "in_reply_to_user_id"),
            "inReplyToScreenName": value.at("in_reply_to_screen_name"),
            "user": value.at("user").map { user($0) },
            "coordinates": coordinates(value),
            "place": value.at("place").map(place),
            "isQuoteStatus": value.at("is_quote_status"),
            "quotedStatusId": value.id("quoted_status_id_str", "quoted_status_id"),
            "quotedStatus": usable(value.at("quoted_status")).map { content($0, nil, nil).without("quotedStatus") },
            "retweetedStatus": retweet,
            "retweetCount": value.count("retweet_count", &repairs),
            "favoriteCount": value.count("favorite_count", &repairs),
            "replyCount": value.count("reply_count", &repairs),
            "quoteCount": value.count("quote_count", &repairs),
            "favorited": value.at("favorited"),
            "retweeted": value.at("retweeted"),
            "possiblySensitive": value.at("possibly_sensitive"),
            "filterLevel": value.at("filter_level"),
            "entities": entities,
            "media": media,
            "withheldInCountries": value.at("withheld_in_countries"),
            "withheldScope": value.at("withheld_scope"),
        ])
    }

    private mutating func source(_ sent: String?) -> JSONValue? {
        guard let sent else { return nil }
        if sent.isEmpty {
            repairs["defaulted sentinel", default: 0] += 1
            return nil
        }
        let text = sent.hasPrefix("&lt;a") ? ReferenceText.unescape(sent) : sent
        guard text.hasPrefix("<a"), let open = text.firstIndex(of: ">") else { return ["name": .string(text)] }
        let name = text[text.index(after: open)...].replacingOccurrences(of: "</a>", with: "")
        let url = text.components(separatedBy: "href=\"").dropFirst().first?.components(separatedBy: "\"").first
        return .of([
            "name": .string(ReferenceText.unescape(name)), "url": url.map { .string(ReferenceText.unescape($0)) },
        ])
    }

    private func coordinates(_ value: JSONValue) -> JSONValue? {
        let pair = value.at("coordinates")?.at("coordinates")
        let (latitude, longitude) = pair == nil ? (0, 1) : (1, 0)
        guard let pair = pair ?? value.at("geo")?.at("coordinates") else { return nil }
        return .of(["latitude": pair[latitude], "longitude": pair[longitude]])
    }

    private func place(_ value: JSONValue) -> JSONValue {
        .of([
            "id": value.at("id"), "name": value.at("name"), "fullName": value.at("full_name"),
            "placeType": value.at("place_type"), "country": value.at("country"),
            "countryCode": value.at("country_code"),
            "boundingBox": value.at("bounding_box"),
        ])
    }

    private mutating func entities(_ value: JSONValue, _ text: ReferenceText) -> JSONValue {
        .of([
            "hashtags": words(value.at("hashtags"), ["#", "＃"], text),
            "symbols": words(value.at("symbols"), ["$"], text),
            "urls": value.at("urls")?.elements.map { links in
                .array(
                    links.map { link in
                        .of([
                            "url": link.at("url"), "expandedUrl": link.at("expanded_url"),
                            "displayUrl": link.at("display_url"),
                            "indices": indices(link, [link.at("url")?.stringValue ?? ""], text),
                        ])
                    })
            },
            "userMentions": value.at("user_mentions")?.elements.map { mentions in
                .array(
                    mentions.map { mention in
                        let name = mention.at("screen_name")?.stringValue ?? ""
                        return .of([
                            "id": mention.id("id_str", "id"), "name": mention.at("name"),
                            "screenName": mention.at("screen_name"),
                            "indices": indices(mention, ["@" + name, "＠" + name], text),
                        ])
                    })
            },
        ])
    }

    private mutating func words(_ value: JSONValue?, _ signs: [String], _ text: ReferenceText) -> JSONValue? {
        value?.elements.map { words in
            .array(
                words.map { word in
                    let name = word.at("text")?.stringValue ?? ""
                    return .of(["text": word.at("text"), "indices": indices(word, signs.map { $0 + name }, text)])
                })
        }
    }

    private mutating func indices(_ value: JSONValue, _ spellings: [String], _ text: ReferenceText) -> JSONValue? {
        text.place(
            value.at("indices")?[0]?.intValue, value.at("indices")?[1]?.intValue, spellings, &repairs)
    }

    private mutating func media(_ list: [JSONValue], _ text: ReferenceText) -> JSONValue {
        .array(
            list.map { sent in
                let type = sent.at("type")?.stringValue
                return .of([
                    "id": sent.id("id_str", "id"),
                    "type": type.map { .string($0 == "animated_gif" ? "animatedGif" : $0) },
                    "url": (sent.at("media_url_https") ?? sent.at("media_url"))?.secure,
                    "expandedUrl": sent.at("expanded_url"),
                    "displayUrl": sent.at("display_url"),
                    "altText": sent.at("ext_alt_text"),
                    "indices": indices(sent, [sent.at("url")?.stringValue ?? ""], text),
                    "width": sent.at("original_info")?.at("width"),
                    "height": sent.at("original_info")?.at("height"),
                    "sizes": sent.at("sizes"),
                    "aspectRatio": sent.at("video_info")?.at("aspect_ratio"),
                    "durationMillis": sent.at("video_info")?.at("duration_millis"),
                    "variants": sent.at("video_info")?.at("variants")?.elements.map { variants in
                        .array(
                            variants.map {
                                .of([
                                    "bitrate": $0.at("bitrate"), "contentType": $0.at("content_type"),
                                    "url": $0.at("url"),
                                ])
                            })
                    },
                ])
            })
    }

    private mutating func user(_ value: JSONValue) -> JSONValue {
        .of([
            "id": value.id("id_str", "id"),
            "name": value.at("name"),
            "screenName": value.at("screen_name"),
            "description": value.at("description"),
            "location": value.at("location"),
            "url": value.at("url"),
            "protected": value.at("protected"),
            "verified": value.at("verified"),
            "followersCount": value.count("followers_count", &repairs),
            "friendsCount": value.count("friends_count", &repairs),
            "listedCount": value.count("listed_count", &repairs),
            "favouritesCount": value.count("favourites_count", &repairs),
            "statusesCount": value.count("statuses_count", &repairs),
            "createdAt": createdAt(value),
            "profileImageUrl": (value.at("profile_image_url_https") ?? value.at("profile_image_url"))?.secure,
            "profileBannerUrl": value.at("profile_banner_url")?.secure,
            "profileBackgroundColor": color(value.at("profile_background_color")),
            "profileLinkColor": color(value.at("profile_link_color")),
            "profileSidebarBorderColor": color(value.at("profile_sidebar_border_color")),
            "profileSidebarFillColor": color(value.at("profile_sidebar_fill_color")),
            "profileTextColor": color(value.at("profile_text_color")),
            "defaultProfile": value.at("default_profile"),
            "defaultProfileImage": value.at("default_profile_image"),
            "withheldInCountries": value.at("withheld_in_countries"),
        ])
    }

    private mutating func createdAt(_ user: JSONValue) -> JSONValue? {
        guard let text = user.at("created_at")?.stringValue else { return nil }
        let date = ReferenceDate.twitter(text)
        if date == nil { repairs["dropped mistyped", default: 0] += 1 }
        return date
    }

    private mutating func color(_ value: JSONValue?) -> JSONValue? {
        guard let text = value?.stringValue else { return nil }
        let digits = text.hasPrefix("#") ? String(text.dropFirst()) : text
        if digits.count == 6, digits.allSatisfy(\.isHexDigit) { return .string("#" + digits.uppercased()) }
        repairs["dropped mistyped", default: 0] += 1
        return nil
    }
}
