/// A Twitter search answer generated from a fixed seed, with the shape, the size and the scripts of the recorded one.
struct GeneratedTwitter {
    private var random = SplitMix64(seed: 2014)

    static func document() -> [UInt8] {
        var generator = GeneratedTwitter()
        return generator.search().prettyPrinted
    }

    private mutating func search() -> GeneratedValue {
        let statuses = (0..<100).map { _ in status(isRetweet: random.happens(73)) }
        return [
            "statuses": .array(statuses),
            "search_metadata": [
                "completed_in": 0.087, "max_id": 505_874_924_095_815_681, "max_id_str": "505874924095815681",
                "next_results": "?max_id=505874847260352512&q=%E5%A4%A9&count=100&include_entities=1",
                "query": "%E5%A4%A9", "refresh_url": "?since_id=505874924095815681&q=%E5%A4%A9&include_entities=1",
                "count": 100, "since_id": 0, "since_id_str": "0",
            ],
        ]
    }

    private mutating func status(isRetweet: Bool) -> GeneratedValue {
        let id = random.number(505_864_000_000_000_000...505_875_000_000_000_000)
        let answered = random.happens(8) ? random.number(100_000_000...2_000_000_000) : nil
        let client = random.pick(["iphone", "android", "tweetdeck"])
        var members: [(String, GeneratedValue)] = [
            ("metadata", ["result_type": "recent", "iso_language_code": "ja"]),
            ("created_at", date(year: 2014)), ("id", .init(id)), ("id_str", .text("\(id)")),
            ("text", .text((isRetweet ? "RT @\(random.name()): " : "") + random.sentence(words: 8...30))),
            ("source", .text("<a href=\"http://twitter.com/download/\(client)\" rel=\"nofollow\">\(client)</a>")),
            ("truncated", false), ("in_reply_to_status_id", nil), ("in_reply_to_status_id_str", nil),
            ("in_reply_to_user_id", answered.map { .init($0) } ?? nil),
            ("in_reply_to_user_id_str", answered.map { .text("\($0)") } ?? nil),
            ("in_reply_to_screen_name", answered == nil ? nil : .text(random.name())), ("user", user()), ("geo", nil),
            ("coordinates", nil), ("place", nil), ("contributors", nil),
        ]
        if isRetweet { members.append(("retweeted_status", status(isRetweet: false))) }
        members += [
            ("retweet_count", .init(random.number(0...900))), ("favorite_count", .init(random.number(0...500))),
            ("entities", entities(mentions: isRetweet ? 1 : 0)), ("favorited", false), ("retweeted", false),
        ]
        if random.happens(15) { members.append(("possibly_sensitive", false)) }
        return .object(members + [("lang", "ja")])
    }

    private mutating func entities(mentions: Int) -> GeneratedValue {
        let hashtags = (0..<(random.happens(8) ? 1 : 0)).map { _ -> GeneratedValue in
            ["text": .text(random.sentence(words: 1...1)), "indices": indices()]
        }
        let links = (0..<(random.happens(13) ? 1 : 0)).map { _ in link() }
        var members: [(String, GeneratedValue)] = [
            ("hashtags", .array(hashtags)), ("symbols", []), ("urls", .array(links)),
            ("user_mentions", .array((0..<mentions).map { _ in mention() })),
        ]
        if random.happens(8) { members.append(("media", [media()])) }
        return .object(members)
    }

    private mutating func mention() -> GeneratedValue {
        let id = random.number(1_000_000...2_700_000_000)
        return [
            "screen_name": .text(random.name()), "name": .text(random.sentence(words: 1...3)), "id": .init(id),
            "id_str": .text("\(id)"), "indices": indices(),
        ]
    }

    private mutating func link() -> GeneratedValue {
        let path = random.name()
        return [
            "url": .text("http://t.co/\(random.code())"), "expanded_url": .text("http://example.org/\(path)"),
            "display_url": .text("example.org/\(path)"), "indices": indices(),
        ]
    }

    private mutating func media() -> GeneratedValue {
        let id = random.number(505_000_000_000_000_000...505_875_000_000_000_000)
        func size(_ width: Int, _ height: Int, _ resize: GeneratedValue) -> GeneratedValue {
            ["w": .init(width), "h": .init(height), "resize": resize]
        }
        let picture = random.code()
        return [
            "id": .init(id), "id_str": .text("\(id)"), "indices": indices(),
            "media_url": .text("http://pbs.example.org/media/\(picture).jpg"),
            "media_url_https": .text("https://pbs.example.org/media/\(picture).jpg"),
            "url": .text("http://t.co/\(random.code())"), "display_url": .text("pic.example.org/\(picture)"),
            "expanded_url": .text("http://example.org/\(random.name())/status/\(id)/photo/1"), "type": "photo",
            "sizes": [
                "medium": size(600, 338, "fit"), "small": size(340, 192, "fit"), "thumb": size(150, 150, "crop"),
                "large": size(765, 432, "fit"),
            ],
            "source_status_id": .init(id + 1), "source_status_id_str": .text("\(id + 1)"),
        ]
    }

    private mutating func user() -> GeneratedValue {
        let id = random.number(1_000_000...2_700_000_000)
        let hasZone = random.happens(19)
        let picture = random.code()
        let ownLink: GeneratedValue? = random.happens(11) ? .some(link()) : .none
        var links: [(String, GeneratedValue)] = [("description", ["urls": []])]
        if let ownLink { links.insert(("url", ["urls": [ownLink]]), at: 0) }
        var members: [(String, GeneratedValue)] = [
            ("id", .init(id)), ("id_str", .text("\(id)")), ("name", .text(random.sentence(words: 1...3))),
            ("screen_name", .text(random.name())),
            ("location", .text(random.happens(40) ? random.sentence(words: 1...2) : "")),
            ("description", .text(random.sentence(words: 8...44))),
            ("url", ownLink == nil ? nil : .text("http://t.co/\(random.code())")), ("entities", .object(links)),
            ("protected", false), ("followers_count", .init(random.number(0...9000))),
            ("friends_count", .init(random.number(0...2000))), ("listed_count", .init(random.number(0...90))),
            ("created_at", date(year: random.number(2009...2014))),
            ("favourites_count", .init(random.number(0...9000))), ("utc_offset", hasZone ? 32400 : nil),
            ("time_zone", hasZone ? "Tokyo" : nil), ("geo_enabled", .init(random.happens(30))), ("verified", false),
            ("statuses_count", .init(random.number(10...99000))), ("lang", "ja"), ("contributors_enabled", false),
            ("is_translator", false), ("is_translation_enabled", false), ("profile_background_color", "C0DEED"),
            ("profile_background_image_url", .text("http://abs.example.org/images/themes/\(picture)/bg.png")),
            ("profile_background_image_url_https", .text("https://abs.example.org/images/themes/\(picture)/bg.png")),
            ("profile_background_tile", .init(random.happens(30))),
            ("profile_image_url", .text("http://pbs.example.org/profile_images/\(id)/\(picture)_normal.jpeg")),
            ("profile_image_url_https", .text("https://pbs.example.org/profile_images/\(id)/\(picture)_normal.jpeg")),
        ]
        if random.happens(86) {
            members.append(("profile_banner_url", .text("https://pbs.example.org/profile_banners/\(id)/1409318784")))
        }
        members += [
            ("profile_link_color", "0084B4"), ("profile_sidebar_border_color", "C0DEED"),
            ("profile_sidebar_fill_color", "DDEEF6"), ("profile_text_color", "333333"),
            ("profile_use_background_image", true), ("default_profile", .init(random.happens(60))),
            ("default_profile_image", false), ("following", false), ("follow_request_sent", false),
            ("notifications", false),
        ]
        return .object(members)
    }

    private mutating func indices() -> GeneratedValue {
        let start = random.number(0...100)
        return [.init(start), .init(start + random.number(3...22))]
    }

    private mutating func date(year: Int) -> GeneratedValue {
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let day = random.pick(["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"])
        let month = random.pick(["Jan", "Feb", "Mar", "Apr", "Jun", "Aug", "Oct", "Dec"])
        let time = [random.number(0...23), random.number(0...59), random.number(0...59)].map(two)
        return .text("\(day) \(month) \(two(random.number(1...28))) \(time.joined(separator: ":")) +0000 \(year)")
    }
}
