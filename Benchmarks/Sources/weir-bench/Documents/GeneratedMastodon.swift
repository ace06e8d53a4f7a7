/// A search answer of Mastodon, generated from a fixed seed: compact, with a hundred statuses, some of them boosts.
struct GeneratedMastodon {
    private var random = SplitMix64(seed: 2016)
    private static let server = "https://social.example.org"

    static func document() -> [UInt8] {
        var generator = GeneratedMastodon()
        return generator.search().compact
    }

    private mutating func search() -> GeneratedValue {
        let statuses = (0..<100).map { _ in status(isBoost: random.happens(30)) }
        return ["accounts": [], "statuses": .array(statuses), "hashtags": []]
    }

    private mutating func status(isBoost: Bool) -> GeneratedValue {
        let id = "\(random.number(113_000_000_000_000_000...113_999_999_999_999_999))", name = random.name()
        let reblog: GeneratedValue = isBoost ? status(isBoost: false) : nil
        let tag = random.happens(40) ? random.name() : nil, friend = random.happens(30) ? random.name() : nil
        let hasLink = random.happens(30), hasPicture = random.happens(15)
        return [
            "id": .text(id), "created_at": .text(random.timestamp(year: 2024)), "in_reply_to_id": nil,
            "in_reply_to_account_id": nil, "sensitive": false, "spoiler_text": "", "visibility": "public",
            "language": "ja", "uri": .text("\(Self.server)/users/\(name)/statuses/\(id)"),
            "url": .text("\(Self.server)/@\(name)/\(id)"), "replies_count": .init(random.number(0...90)),
            "reblogs_count": .init(random.number(0...900)), "favourites_count": .init(random.number(0...900)),
            "edited_at": nil, "favourited": false, "reblogged": false, "muted": false, "bookmarked": false,
            "content": .text(isBoost ? "" : content(tag, friend, hasLink)), "filtered": [], "reblog": reblog,
            "application": ["name": "Web", "website": nil], "account": account(name),
            "media_attachments": .array(hasPicture ? [picture()] : []),
            "mentions": .array((friend.map { [mention($0)] }) ?? []),
            "tags": .array((tag.map { [link(to: $0)] }) ?? []),
            "emojis": [], "card": nil, "poll": nil,
        ]
    }

    private mutating func content(_ tag: String?, _ friend: String?, _ hasLink: Bool) -> String {
        var text = "<p>" + random.sentence(words: 8...30).replacing("\n", with: "<br />")
        if let friend {
            text +=
                " <span class=\"h-card\" translate=\"no\"><a href=\"\(Self.server)/@\(friend)\" class=\"u-url mention\">"
                + "@<span>\(friend)</span></a></span>"
        }
        if hasLink {
            let path = random.code()
            text +=
                " <a href=\"https://www.example.org/\(path)/news\" target=\"_blank\" rel=\"nofollow noopener\" "
                + "translate=\"no\"><span class=\"invisible\">https://www.</span><span class=\"ellipsis\">"
                + "example.org/\(path)</span><span class=\"invisible\">/news</span></a>"
        }
        text += "</p><p>" + random.sentence(words: 5...20).replacing("\n", with: "<br />")
        if let tag {
            text +=
                " <a href=\"\(Self.server)/tags/\(tag)\" class=\"mention hashtag\" rel=\"tag\">#<span>\(tag)</span></a>"
        }
        return text + "</p>"
    }

    private mutating func account(_ name: String) -> GeneratedValue {
        let id = "\(random.number(100_000...999_999))", image = random.code()
        return [
            "id": .text(id), "username": .text(name), "acct": .text(name),
            "display_name": .text(random.sentence(words: 1...3)), "locked": false, "bot": false, "discoverable": true,
            "indexable": true, "group": false, "created_at": "2019-11-03T00:00:00.000Z",
            "note": .text("<p>" + random.sentence(words: 8...44).replacing("\n", with: "<br />") + "</p>"),
            "url": .text("\(Self.server)/@\(name)"), "uri": .text("\(Self.server)/users/\(name)"),
            "avatar": .text("https://files.example.org/accounts/avatars/\(id)/original/\(image).png"),
            "avatar_static": .text("https://files.example.org/accounts/avatars/\(id)/original/\(image).png"),
            "header": .text("https://files.example.org/accounts/headers/\(id)/original/\(image).jpeg"),
            "header_static": .text("https://files.example.org/accounts/headers/\(id)/original/\(image).jpeg"),
            "followers_count": .init(random.number(0...9000)), "following_count": .init(random.number(0...2000)),
            "statuses_count": .init(random.number(10...99000)), "last_status_at": "2024-12-31",
            "hide_collections": false, "noindex": false, "emojis": [], "roles": [],
            "fields": [
                [
                    "name": "Web", "verified_at": nil,
                    "value": .text("<a href=\"https://example.org/\(name)\" rel=\"nofollow me\">example.org</a>"),
                ]
            ],
        ]
    }

    private mutating func picture() -> GeneratedValue {
        let id = "\(random.number(113_000_000_000_000_000...113_999_999_999_999_999))", image = random.code()
        func size(_ width: Int, _ height: Int) -> GeneratedValue {
            ["width": .init(width), "height": .init(height), "size": .text("\(width)x\(height)"), "aspect": 1.5]
        }
        return [
            "id": .text(id), "type": "image",
            "url": .text("https://files.example.org/media_attachments/\(id)/original/\(image).jpeg"),
            "preview_url": .text("https://files.example.org/media_attachments/\(id)/small/\(image).jpeg"),
            "remote_url": nil, "preview_remote_url": nil, "text_url": nil,
            "meta": ["original": size(1500, 1000), "small": size(588, 392)],
            "description": .text(random.sentence(words: 5...20)), "blurhash": "UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH",
        ]
    }

    private mutating func mention(_ name: String) -> GeneratedValue {
        [
            "id": .text("\(random.number(100_000...999_999))"), "username": .text(name),
            "url": .text("\(Self.server)/@\(name)"), "acct": .text(name),
        ]
    }

    private func link(to tag: String) -> GeneratedValue {
        ["name": .text(tag), "url": .text("\(Self.server)/tags/\(tag)")]
    }
}
