/// A search answer of Twitter v2, generated from a fixed seed: compact, with the tweets of the v1.1 answer in v2's form.
struct GeneratedTwitterV2 {
    private var random = SplitMix64(seed: 2022)
    private var users: [GeneratedValue] = [], tweets: [GeneratedValue] = [], media: [GeneratedValue] = []

    static func document() -> [UInt8] {
        var generator = GeneratedTwitterV2()
        return generator.search().compact
    }

    private mutating func search() -> GeneratedValue {
        let data = (0..<100).map { _ in tweet(isRetweet: random.happens(73)).value }
        return [
            "data": .array(data),
            "includes": ["users": .array(users), "tweets": .array(tweets), "media": .array(media)],
            "meta": [
                "newest_id": "1578466218075312129", "oldest_id": "1578466210000000000", "result_count": 100,
                "next_token": "b26v89c19zqg8o3fpz2m3m6fv5z2y",
            ],
        ]
    }

    private mutating func tweet(isRetweet: Bool) -> (id: String, value: GeneratedValue) {
        let id = "\(random.number(1_578_466_210_000_000_000...1_578_466_218_075_312_129))"
        let (text, entities) = text(isRetweet)
        var members: [(String, GeneratedValue)] = [
            ("id", .text(id)), ("edit_history_tweet_ids", [.text(id)]), ("author_id", .text(user())),
            ("created_at", .text(random.timestamp(year: 2022))), ("conversation_id", .text(id)), ("lang", "ja"),
            ("text", .text(text)), ("possibly_sensitive", false), ("reply_settings", "everyone"),
            ("entities", entities),
            (
                "public_metrics",
                [
                    "retweet_count": .init(random.number(0...900)), "reply_count": .init(random.number(0...90)),
                    "like_count": .init(random.number(0...500)), "quote_count": .init(random.number(0...9)),
                    "bookmark_count": .init(random.number(0...9)), "impression_count": .init(random.number(0...9000)),
                ]
            ),
        ]
        if random.happens(8) { members.append(("attachments", ["media_keys": [.text(photo())]])) }
        if isRetweet {
            let (original, value) = tweet(isRetweet: false)
            tweets.append(value)
            members.append(("referenced_tweets", [["type": "retweeted", "id": .text(original)]]))
        }
        return (id, .object(members))
    }

    /// Returns a text and the entities in it.
    private mutating func text(_ isRetweet: Bool) -> (text: String, entities: GeneratedValue) {
        var text = "", entities: [(String, GeneratedValue)] = []
        func append(_ word: String, _ members: [(String, GeneratedValue)], as kind: String) {
            let start = text.unicodeScalars.count
            text += word
            let span: [(String, GeneratedValue)] = [
                ("start", .init(start)), ("end", .init(text.unicodeScalars.count)),
            ]
            entities.append((kind, [.object(span + members)]))
        }
        if isRetweet {
            text = "RT "
            let name = random.name(), id = "\(random.number(1_000_000...2_700_000_000))"
            append("@" + name, [("username", .text(name)), ("id", .text(id))], as: "mentions")
            text += ": "
        }
        text += random.sentence(words: 8...30)
        if random.happens(8) {
            let tag = random.name()
            text += " "
            append("#" + tag, [("tag", .text(tag))], as: "hashtags")
        }
        if random.happens(13) {
            let link = link()
            text += " "
            append(link.url, link.members, as: "urls")
        }
        return (text, .object(entities))
    }

    private mutating func link() -> (url: String, members: [(String, GeneratedValue)]) {
        let path = random.name(), url = "https://t.co/\(random.code())"
        return (
            url,
            [
                ("url", .text(url)), ("expanded_url", .text("https://example.org/\(path)")),
                ("display_url", .text("example.org/\(path)")), ("status", 200),
                ("title", .text(random.sentence(words: 2...6))),
                ("description", .text(random.sentence(words: 5...20))),
            ]
        )
    }

    private mutating func photo() -> String {
        let key = "3_\(random.number(1_000_000_000_000_000_000...1_578_466_218_075_312_129))"
        media.append([
            "media_key": .text(key), "type": "photo",
            "url": .text("https://pbs.example.org/media/\(random.code()).jpg"), "width": 1200, "height": 675,
        ])
        return key
    }

    private mutating func user() -> String {
        let id = "\(random.number(1_000_000...2_700_000_000))", picture = random.code()
        var members: [(String, GeneratedValue)] = [
            ("id", .text(id)), ("name", .text(random.sentence(words: 1...3))), ("username", .text(random.name())),
            ("created_at", .text(random.timestamp(year: random.number(2009...2014)))),
            ("description", .text(random.sentence(words: 8...44))),
            ("profile_image_url", .text("https://pbs.example.org/profile_images/\(id)/\(picture)_normal.jpeg")),
            ("protected", false), ("verified", false),
            (
                "public_metrics",
                [
                    "followers_count": .init(random.number(0...9000)),
                    "following_count": .init(random.number(0...2000)),
                    "tweet_count": .init(random.number(10...99000)), "listed_count": .init(random.number(0...90)),
                    "like_count": .init(random.number(0...9000)),
                ]
            ),
        ]
        if random.happens(40) { members.append(("location", .text(random.sentence(words: 1...2)))) }
        if random.happens(11) {
            members += [
                ("url", .text("https://t.co/\(picture)")), ("entities", ["url": ["urls": [.object(link().members)]]]),
            ]
        }
        users.append(.object(members))
        return id
    }
}
