import LenientCoding

extension Mastodon {
    struct WireMention: Record {
        var id: WireID?, username: String?, address: String?, url: String?

        static let schema = Schema<WireMention> {
            Field("id", \.id)
            Field("username", \.username)
            Field("acct", \.address)
            Field("url", \.url)
        }
    }

    struct WireTag: Record {
        var name = "", url: String?

        static let schema = Schema<WireTag> {
            Field("name", \.name)
            Field("url", \.url)
            Ignored("featuring", "following", "history", "id", "slug")
        }
    }

    /// Returns the entities of a text: mentions and hashtags with the indices of their links, and all other links.
    ///
    /// Nil if the upstream has no list of either and the text has no links.
    static func entities(_ mentions: [WireMention]?, _ tags: [WireTag]?, in plain: PlainText) -> Entities? {
        var links = LinkMatcher(plain)
        var entities = Entities()
        entities.userMentions = mentions?.map { wire in
            var mention = UserMention()
            mention.id = wire.id?.text
            mention.screenName = wire.address ?? wire.username
            mention.indices = links.match(wire.url, [wire.address, wire.username].compactMap { $0.map { "@" + $0 } })
            return mention
        }
        entities.hashtags = tags?.map { wire in
            var hashtag = Hashtag()
            hashtag.text = wire.name
            hashtag.indices = links.match(wire.url, ["#" + wire.name])
            return hashtag
        }
        let otherLinks = links.unmatched.map { anchor in
            var link = Link()
            link.url = anchor.text
            link.expandedUrl = anchor.target
            link.displayUrl = anchor.displayText
            link.indices = anchor.range
            return link
        }
        if otherLinks.isEmpty, mentions == nil, tags == nil { return nil }
        entities.urls = otherLinks.isEmpty ? nil : otherLinks
        return entities
    }
}

/// Finds the link of each mention and hashtag in a text.
private struct LinkMatcher {
    private struct Key: Hashable {
        /// In lower case.
        let text: String
        let target: String
    }

    private let plain: PlainText
    /// Made for the first mention or hashtag that has no link of its own, which is rare.
    private lazy var text = CodePointText(plain.text)
    /// The first link with each text in lower case, and with each text and address; most texts have no links.
    private lazy var tables = Self.tables(of: plain.anchors)
    private var matched = Set<Key>()

    init(_ plain: PlainText) { self.plain = plain }

    private static func tables(of anchors: [PlainText.Anchor]) -> (byText: [String: Int], byKey: [Key: Int]) {
        var (byText, byKey): ([String: Int], [Key: Int]) = ([:], [:])
        for (index, anchor) in anchors.enumerated().reversed() {
            let key = key(anchor)
            byText[key.text] = index
            byKey[key] = index
        }
        return (byText, byKey)
    }

    /// Returns the position of one of `spellings`: in a link to `target`, in any unmatched link, or at its only occurrence
    /// in the text.
    mutating func match(_ target: String?, _ spellings: [String]) -> CodePointRange? {
        let words = spellings.map { $0.lowercased() }
        for key in words.compactMap({ word in target.map { Key(text: word, target: $0) } }) {
            guard let index = tables.byKey[key] else { continue }
            matched.insert(key)
            return plain.anchors[index].range
        }
        for word in words {
            guard let index = tables.byText[word], matched.insert(Self.key(plain.anchors[index])).inserted else {
                continue
            }
            return plain.anchors[index].range
        }
        for spelling in spellings {
            if let range = text.uniqueRange(of: [spelling]) { return range }
        }
        return nil
    }

    /// The links that are neither mentions nor hashtags.
    var unmatched: [PlainText.Anchor] {
        matched.isEmpty ? plain.anchors : plain.anchors.filter { !matched.contains(Self.key($0)) }
    }

    private static func key(_ anchor: PlainText.Anchor) -> Key {
        Key(text: anchor.text.lowercased(), target: anchor.target)
    }
}
