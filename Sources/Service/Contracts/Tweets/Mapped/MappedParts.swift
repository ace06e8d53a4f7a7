import API
import JSONText
import Records

/// A user in the words of a mapping.
struct MappedUser: Record {
    private var user = User(), id: WireID?, createdAt: WireDate?

    static let schema = Schema<MappedUser>(.absent(-1)) {
        Included(
            \.user,
            replacing: [
                Field("id", \.id), Field("createdAt", \.createdAt), Field("url", \.user.url, .address),
                Field("profileImageUrl", \.user.profileImageUrl, .address),
                Field("profileBannerUrl", \.user.profileBannerUrl, .address),
            ])
    }

    /// Returns the contract's user; nil, with the failure recorded, without an id.
    func model(_ reader: inout RecordReader) -> User? {
        guard let id = reader.demand(id, "id") else { return nil }
        var user = user
        (user.id, user.createdAt) = (id.text, createdAt?.time)
        user.profileImageUrl?.useSecureScheme()
        user.profileBannerUrl?.useSecureScheme()
        return user
    }
}

/// Media in the words of a mapping.
struct MappedMedia: Record {
    private var media = Media(), id: WireID?, type: String?, indices: WireIndices?

    static let schema = Schema<MappedMedia>(.absent(-1)) {
        Included(
            \.media,
            replacing: [
                Field("id", \.id), Field("type", \.type), Field("indices", \.indices),
                Field("url", \.media.url, .address), Field("previewUrl", \.media.previewUrl, .address),
                Field("expandedUrl", \.media.expandedUrl, .address),
            ])
    }

    /// Returns the contract's media, with its place in a text that has indices; nil, and reported, without an id.
    func model(_ locator: inout EntityLocator, hasIndices: Bool, _ reader: inout RecordReader) -> Media? {
        guard let id = reader.identified(id) else { return nil }
        var media = media
        media.id = id
        media.setType(type, &reader)
        media.url?.useSecureScheme()
        media.previewUrl?.useSecureScheme()
        media.sizes = media.sizes?.cleaned
        if let ratio = media.aspectRatio {
            media.aspectRatio = Self.inLowestTerms(ratio)
        }
        if let indices, hasIndices {
            media.indices = reader.at("indices") { locator.range(indices.range, &$0) }
        }
        return media
    }

    /// Returns a width and a height without common factors; nil for any other list.
    private static func inLowestTerms(_ ratio: [Int]) -> [Int]? {
        guard ratio.count == 2, ratio.allSatisfy({ $0 > 0 }) else { return nil }
        var (factor, rest) = (ratio[0], ratio[1])
        while rest > 0 { (factor, rest) = (rest, factor % rest) }
        return ratio.map { $0 / factor }
    }
}

/// The entities of a text in the words of a mapping.
struct MappedEntities: Record {
    var hashtags: [MappedHashtag]?, symbols: [MappedHashtag]?, urls: [MappedLink]?, userMentions: [MappedMention]?

    static let schema = Schema<MappedEntities>(.dropInvalid, .entityLimit) {
        Field(\.hashtags, .note("The hashtags."))
        Field(\.symbols, .note("The ticker symbols, which start with a dollar sign."))
        Field(\.urls, .note("The links."))
        Field(\.userMentions, .note("The mentioned users."))
    }
}

/// A hashtag or a ticker symbol, which without `text` has the word at its indices.
struct MappedHashtag: WireEntity {
    var entity = Hashtag(), indices: WireIndices?

    static let schema = Schema<MappedHashtag> {
        Included(\.entity, replacing: [Field("text", \.entity.text, .defaulted), Field("indices", \.indices)])
    }
}

/// A link, which without `url` has the text at its indices.
struct MappedLink: WireEntity {
    var entity = Link(), indices: WireIndices?

    static let schema = Schema<MappedLink> {
        Included(
            \.entity,
            replacing: [
                Field("url", \.entity.url, .address), Field("expandedUrl", \.entity.expandedUrl, .address),
                Field("displayUrl", \.entity.displayUrl, .address), Field("indices", \.indices),
            ])
    }
}

/// A mentioned user, who without `screenName` has the name at the indices.
struct MappedMention: WireEntity {
    var mention = UserMention(), id: WireID?, indices: WireIndices?
    private var url: String?

    static let schema = Schema<MappedMention> {
        Included(\.mention, replacing: [Field("id", \.id), Field("indices", \.indices)])
        Field(\.url, .address, .note("The user's page, by which `html` links to the user."))
    }

    var entity: UserMention {
        var mention = mention
        mention.id = id?.text
        return mention
    }

    /// The mention in Mastodon's form; its link may leave the server out.
    fileprivate var wire: WireMention {
        var wire = WireMention()
        (wire.mention, wire.id, wire.url, wire.address) = (mention, id, url, mention.screenName)
        wire.mention.screenName = mention.screenName.map { String($0.prefix { $0 != "@" }) }
        return wire
    }
}

extension EntityLocator {
    /// Converts a mapping's entities, with their indices in code points.
    mutating func entities(_ mapped: MappedEntities, _ reader: inout RecordReader) -> Entities {
        var model = Entities()
        func complete(_ tag: inout Hashtag, _ placed: String?) -> (String?, displayed: String?)? {
            if tag.text.isEmpty { tag.text = placed ?? "" }
            return tag.text.isEmpty ? nil : (tag.text, nil)
        }
        model.hashtags = entities(mapped.hashtags, at: "hashtags", behind: ["#", "＃"], &reader, words: complete)
        model.symbols = entities(mapped.symbols, at: "symbols", behind: ["$"], &reader, words: complete)
        model.urls = entities(mapped.urls, at: "urls", behind: [""], &reader) { link, placed in
            link.url = link.url ?? placed
            link.displayUrl = link.displayUrl ?? link.url
            return link.hasAddress ? (link.url ?? link.expandedUrl, link.displayUrl) : nil
        }?.map { link in
            var link = link
            if link.indices != nil { link.url = link.url ?? link.expandedUrl }
            return link
        }
        model.userMentions = entities(mapped.userMentions, at: "userMentions", behind: ["@", "＠"], &reader) {
            $0.screenName = $0.screenName ?? $1
            return $0.screenName == nil && $0.id == nil ? nil : ($0.screenName, nil)
        }
        return model
    }
}

extension PlainText {
    /// Returns the entities of a text in HTML, with the mentions and the hashtags that a mapping lists.
    func entities(_ mapped: MappedEntities?) -> Entities? {
        Mastodon.entities(
            mapped?.userMentions?.map(\.wire) ?? mentions,
            mapped?.hashtags?.map { Mastodon.WireTag(name: $0.entity.text) } ?? tags, in: self)
    }

    /// The mentions and the hashtags of a text whose upstream lists none: links whose text has a sign.
    private var mentions: [WireMention]? {
        entities(behind: "@") { name, target in
            var mention = WireMention()
            (mention.address, mention.url) = (name, target)
            return mention
        }
    }

    private var tags: [Mastodon.WireTag]? { entities(behind: "#") { name, _ in Mastodon.WireTag(name: name) } }

    private func entities<Entity>(behind sign: Character, _ make: (String, _ target: String) -> Entity) -> [Entity]? {
        var known: Set<String> = []
        let found = anchors.filter {
            $0.textWithSign.first == sign && known.insert($0.textWithSign.lowercased()).inserted
        }
        return found.isEmpty ? nil : found.map { make(String($0.textWithSign.dropFirst()), $0.target) }
    }
}
