import Foundation
import Records

/// A second, plain implementation of section 2 of the contract for Twitter v1.1's tweets.
struct ReferenceTwitter {
    private(set) var repairs: Repairs = [:]
    /// The expected document; nil if it must be refused.
    private(set) var answer: JSONValue?

    init(of value: JSONValue) {
        if let elements = value.elements {
            let hasUsers = elements.contains(where: Self.isUser) && !elements.contains(where: Self.hasText)
            answer = .array(hasUsers ? users(elements) : tweets(elements))
        } else if let statuses = value["statuses"] ?? value["results"] {
            answer = search(value, statuses)
        } else if Self.isUser(value) {
            answer = clean(value, "user").map(user)
        } else if let users = value["users"], !Self.hasText(value) {
            answer = users.elements.map { .array(self.users($0)) }
            _ = clean(value, "page")
        } else {
            answer = clean(value, "tweet").map { tweet($0) }
        }
        let sent = value.elements ?? (value["statuses"] ?? value["results"] ?? value["users"])?.elements
        answer = answer?.unlessLost(of: sent ?? [])
    }

    private static func isUser(_ value: JSONValue) -> Bool { value["screen_name"] != nil && !hasText(value) }

    private static func hasText(_ value: JSONValue) -> Bool { value["text"] != nil || value["full_text"] != nil }

    private mutating func search(_ value: JSONValue, _ statuses: JSONValue) -> JSONValue? {
        guard let statuses = statuses.elements, let facts = clean(value, "search") else { return nil }
        let metadata = facts["search_metadata"]
        return .of([
            "statuses": .array(tweets(statuses)),
            "metadata": .of([
                "query": metadata?["query"]?.stringValue
                    .flatMap { $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding }
                    .map { .string($0) },
                "count": metadata?["count"],
                "nextMaxId": metadata?["next_results"]?.stringValue.flatMap(Self.maxID).map { .string($0) },
                "next": facts["next"],
            ]),
        ])
    }

    private mutating func tweets(_ elements: [JSONValue]) -> [JSONValue] {
        (cleanList(elements, "tweet[]")).map { tweet($0) }
    }

    private mutating func users(_ elements: [JSONValue]) -> [JSONValue] { cleanList(elements, "user[]").map(user) }

    private mutating func cleanList(_ elements: [JSONValue], _ type: Substring) -> [JSONValue] {
        clean(.array(elements), type)?.elements ?? []
    }

    private mutating func clean(_ value: JSONValue, _ type: Substring) -> JSONValue? {
        ReferenceTable.twitter.clean(value, as: type, &repairs).value
    }

    private static func maxID(_ query: String) -> String? {
        URLComponents(string: query)?.queryItems?.first { $0.name == "max_id" }?.value
    }

    /// Returns a tweet with the tweet that it retweets.
    private mutating func tweet(_ value: JSONValue) -> JSONValue {
        let inner = value["retweeted_status"].map { content($0, nil, nil) }
        return content(value, inner, inner)
    }

    private mutating func content(_ value: JSONValue, _ inner: JSONValue?, _ retweet: JSONValue?) -> JSONValue {
        let extended = value["extended_tweet"]?["full_text"] == nil ? Optional.none : value["extended_tweet"]
        let best = extended ?? value
        let sent = (best["full_text"] ?? best["text"])?.stringValue ?? ""
        let text = ReferenceText(sent)
        let range = inner == nil ? text.range(best["display_text_range"], &repairs) : inner?["displayTextRange"]
        let entities = inner == nil ? best["entities"].map { self.entities($0, text) } : inner?["entities"]
        let attached = best["extended_entities"]?["media"] ?? best["entities"]?["media"]
        let media = inner == nil ? attached?.elements.map { list in self.media(list, text) } : inner?["media"]
        return .of([
            "id": value.id("id_str", "id"),
            "createdAt": ReferenceDate.iso8601(value["created_at"]?.stringValue),
            "fullText": inner?["fullText"] ?? .string(text.text),
            "displayTextRange": range,
            "lang": value["lang"],
            "source": source(value["source"]?.stringValue),
            "inReplyToStatusId": value.id("in_reply_to_status_id_str", "in_reply_to_status_id"),
            "inReplyToUserId": value.id("in_reply_to_user_id_str", "in_reply_to_user_id"),
            "inReplyToScreenName": value["in_reply_to_screen_name"],
            "user": value["user"].map { user($0) },
            "coordinates": coordinates(value),
            "place": value["place"].map(place),
            "isQuoteStatus": value["is_quote_status"],
            "quotedStatusId": value.id("quoted_status_id_str", "quoted_status_id"),
            "quotedStatus": value["quoted_status"].map { content($0, nil, nil).without("quotedStatus") },
            "retweetedStatus": retweet,
            "retweetCount": value["retweet_count"],
            "favoriteCount": value["favorite_count"],
            "replyCount": value["reply_count"],
            "quoteCount": value["quote_count"],
            "favorited": value["favorited"],
            "retweeted": value["retweeted"],
            "possiblySensitive": value["possibly_sensitive"],
            "filterLevel": value["filter_level"],
            "entities": entities,
            "media": media,
            "poll": inner == nil ? poll(best) : inner?["poll"],
            "withheldInCountries": value["withheld_in_countries"],
            "withheldScope": value["withheld_scope"],
        ])
    }

    private func source(_ sent: String?) -> JSONValue? {
        guard let sent else { return nil }
        let text = sent.hasPrefix("&lt;a") ? ReferenceText.unescape(sent) : sent
        guard text.hasPrefix("<a"), let open = text.firstIndex(of: ">") else {
            return ["name": .string(ReferenceText.unescape(text))]
        }
        let name = text[text.index(after: open)...].replacingOccurrences(of: "</a>", with: "")
        let url = text.components(separatedBy: "href=\"").dropFirst().first?.components(separatedBy: "\"").first
        return .of([
            "name": .string(ReferenceText.unescape(name)),
            "url": url.flatMap { $0.isEmpty ? nil : .string(ReferenceText.unescape($0)) },
        ])
    }

    private mutating func coordinates(_ value: JSONValue) -> JSONValue? {
        let pair = value["coordinates"]?["coordinates"]
        let (latitude, longitude) = pair == nil ? (0, 1) : (1, 0)
        guard let pair = pair ?? value["geo"]?["coordinates"] else { return nil }
        return .coordinates(pair[latitude], pair[longitude], &repairs)
    }

    private func place(_ value: JSONValue) -> JSONValue {
        .of([
            "id": value["id"], "name": value["name"], "fullName": value["full_name"],
            "placeType": value["place_type"], "country": value["country"],
            "countryCode": value["country_code"],
            "boundingBox": value["bounding_box"]?.withoutNulls,
        ])
    }

    private mutating func entities(_ value: JSONValue, _ text: ReferenceText) -> JSONValue {
        .of([
            "hashtags": words(value["hashtags"], ["#", "＃"], text),
            "symbols": words(value["symbols"], ["$"], text),
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
            "userMentions": value["user_mentions"]?.elements.map { mentions in
                .array(
                    mentions.map { mention in
                        .of([
                            "id": mention.id("id_str", "id"), "name": mention["name"],
                            "screenName": mention["screen_name"],
                            "indices": indices(mention, ["@", "＠"], mention["screen_name"]?.stringValue, text),
                        ])
                    })
            },
        ])
    }

    private mutating func words(_ value: JSONValue?, _ signs: [String], _ text: ReferenceText) -> JSONValue? {
        value?.elements.map { words in
            .array(
                words.map { word in
                    .of(["text": word["text"], "indices": indices(word, signs, word["text"]?.stringValue, text)])
                })
        }
    }

    /// Returns the indices of a word after one of `signs`; without a word there are none.
    private mutating func indices(
        _ value: JSONValue, _ signs: [String], _ word: String?, _ text: ReferenceText, displayed: String? = nil
    ) -> JSONValue? {
        text.place(
            value["indices"]?[0]?.intValue, value["indices"]?[1]?.intValue,
            word.map { word in signs.map { $0 + word } } ?? [], displayed: displayed, &repairs)
    }

    private mutating func media(_ list: [JSONValue], _ text: ReferenceText) -> JSONValue {
        .array(
            list.compactMap { sent in
                guard sent.id("id_str", "id") != nil else {
                    repairs["dropped invalid", default: 0] += 1
                    return nil
                }
                let type = sent["type"]?.stringValue
                if let type, !["photo", "video", "animated_gif", "animatedGif", "audio", "unknown"].contains(type) {
                    repairs["unrecognized unknownValue", default: 0] += 1
                }
                return .of([
                    "id": sent.id("id_str", "id"),
                    "type": type.map { .string($0 == "animated_gif" ? "animatedGif" : $0) },
                    "url": (sent["media_url_https"] ?? sent["media_url"])?.secure,
                    "expandedUrl": sent["expanded_url"],
                    "displayUrl": sent["display_url"],
                    "altText": sent["ext_alt_text"],
                    "indices": indices(sent, [""], sent["url"]?.stringValue, text),
                    "width": sent["original_info"]?["width"],
                    "height": sent["original_info"]?["height"],
                    "sizes": sent["sizes"]?.withoutNulls,
                    "aspectRatio": sent["video_info"]?["aspect_ratio"],
                    "durationMillis": sent["video_info"]?["duration_millis"],
                    "variants": sent["video_info"]?["variants"]?.elements.map { variants in
                        .array(
                            variants.map {
                                .of([
                                    "bitrate": $0["bitrate"], "contentType": $0["content_type"],
                                    "url": $0["url"],
                                ])
                            })
                    },
                ])
            })
    }

    private func poll(_ best: JSONValue) -> JSONValue? {
        let polls = best["entities"]?["polls"] ?? best["extended_entities"]?["polls"]
        return polls?[0].map { poll in
            .of([
                "options": poll["options"]?.elements.map { options in
                    .array(
                        options.map { .of(["position": $0["position"], "text": $0["text"], "votes": $0["votes"]]) })
                },
                "endTime": ReferenceDate.iso8601(poll["end_datetime"]?.stringValue),
                "durationMinutes": poll["duration_minutes"],
            ])
        }
    }

    private func user(_ value: JSONValue) -> JSONValue {
        .of([
            "id": value.id("id_str", "id"),
            "name": value["name"],
            "screenName": value["screen_name"],
            "description": value["description"],
            "location": value["location"],
            "url": value.website,
            "protected": value["protected"],
            "verified": value["verified"],
            "followersCount": value["followers_count"],
            "friendsCount": value["friends_count"],
            "listedCount": value["listed_count"],
            "favouritesCount": value["favourites_count"],
            "statusesCount": value["statuses_count"],
            "createdAt": ReferenceDate.iso8601(value["created_at"]?.stringValue),
            "profileImageUrl": (value["profile_image_url_https"] ?? value["profile_image_url"])?.secure,
            "profileBannerUrl": value["profile_banner_url"]?.secure,
            "profileBackgroundColor": value["profile_background_color"],
            "profileLinkColor": value["profile_link_color"],
            "profileSidebarBorderColor": value["profile_sidebar_border_color"],
            "profileSidebarFillColor": value["profile_sidebar_fill_color"],
            "profileTextColor": value["profile_text_color"],
            "defaultProfile": value["default_profile"],
            "defaultProfileImage": value["default_profile_image"],
            "withheldInCountries": value["withheld_in_countries"],
        ])
    }
}
