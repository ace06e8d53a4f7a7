import Records

extension Mastodon {
    struct WireTag: Record {
        var name = ""

        static let schema = Schema<WireTag> {
            Field("name", \.name)
            Ignored("featuring", "following", "history", "id", "slug", "url")
        }
    }

    /// Returns the entities of a text: mentions and hashtags with the indices of their links, and all other links.
    ///
    /// Nil if the upstream has no list of either and the text has no links.
    static func entities(_ mentions: [WireMention]?, _ tags: [WireTag]?, in plain: PlainText) -> Entities? {
        var links = LinkMatcher(plain)
        var entities = Entities()
        entities.userMentions = mentions?.map { wire in
            var mention = wire.entity
            let names = [wire.address, mention.screenName].compactMap(\.self)
            mention.screenName = names.first
            mention.indices = links.match(wire.url, names.map { "@" + $0 })
            return mention
        }
        entities.hashtags = tags?.map { links.hashtag($0.name) }
        let otherLinks = links.others(than: Set(mentions?.compactMap(\.url) ?? [])).map { anchor in
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
    private let plain: PlainText
    /// Made for the first mention or hashtag that has no link of its own, which is rare.
    private lazy var text = CodePointText(plain.text)
    private lazy var links = LinkIndex(plain.anchors)
    /// The first link of each matched text and address.
    private var matched = Set<Int>()

    init(_ plain: PlainText) { self.plain = plain }

    /// Returns the position of one of `spellings`: in a link to `target`, in any unmatched link, or at its only occurrence
    /// in the text.
    mutating func match(_ target: String?, _ spellings: [String]) -> CodePointRange? {
        if !plain.anchors.isEmpty, let index = link(to: target, spellings.map { $0.lowercased() }) {
            matched.insert(index)
            return plain.anchors[index].rangeWithSign
        }
        for spelling in spellings {
            if let range = text.uniqueRange(of: [spelling]) { return range }
        }
        return nil
    }

    /// Returns the hashtag called `name`; if the name is folded, its text is the word in the text.
    mutating func hashtag(_ name: String) -> Hashtag {
        var hashtag = Hashtag()
        hashtag.text = name
        let spelling = "#" + name
        guard !plain.anchors.isEmpty, let index = links.first(Mastodon.FoldedHashtag(spelling).text) else {
            hashtag.indices = text.uniqueRange(of: [spelling])
            return hashtag
        }
        matched.insert(index)
        let anchor = plain.anchors[index]
        if anchor.textWithSign.lowercased() != spelling.lowercased() {
            hashtag.text = String(anchor.textWithSign.dropFirst())
        }
        hashtag.indices = anchor.rangeWithSign
        return hashtag
    }

    private mutating func link(to target: String?, _ words: [String]) -> Int? {
        if let target {
            for word in words {
                if let index = links.first(word, to: target) { return index }
            }
        }
        for word in words {
            if let index = links.first(word), !matched.contains(index) { return index }
        }
        return nil
    }

    /// Returns the links that are neither hashtags nor mentions, also not mentions of an account by another name.
    mutating func others(than accounts: Set<String>) -> [PlainText.Anchor] {
        if matched.isEmpty, accounts.isEmpty { return plain.anchors }
        return plain.anchors.indices.filter { index in
            let anchor = plain.anchors[index]
            return !(accounts.contains(anchor.target) && anchor.textWithSign.first == "@")
                && !matched.contains(links.first(like: index))
        }.map { plain.anchors[$0] }
    }
}

/// The links of a text by their texts in lower case, with a sign in front of the link.
private struct LinkIndex {
    private struct Key: Hashable {
        let text: String, target: String

        /// Links of one hashtag can have several addresses, since servers keep its spelling in them.
        init(_ anchor: PlainText.Anchor) {
            let text = anchor.textWithSign
            let isHashtag = text.utf8.first == UInt8(ascii: "#")
            self.text = isHashtag ? Mastodon.FoldedHashtag(text).text : text.lowercased()
            target = isHashtag ? "" : anchor.target
        }

        init(text: String, target: String) { (self.text, self.target) = (text, target) }
    }

    private let keys: [Key]
    /// The first link with each text, and with each text and address.
    private var byText: [String: Int] = [:], byKey: [Key: Int] = [:]

    init(_ anchors: [PlainText.Anchor]) {
        keys = anchors.map(Key.init)
        for (index, key) in keys.enumerated().reversed() {
            byText[key.text] = index
            byKey[key] = index
        }
    }

    /// Returns the first link with this text.
    func first(_ text: String) -> Int? { byText[text] }

    /// Returns the first link with this text and address.
    func first(_ text: String, to target: String) -> Int? { byKey[Key(text: text, target: target)] }

    /// Returns the first link with the text and the address of the one at `index`.
    func first(like index: Int) -> Int { first(keys[index].text, to: keys[index].target) ?? index }
}

extension Mastodon {
    /// A hashtag with its sign as Mastodon compares it: in lower case, of the usual width, and with ASCII letters for many
    /// Latin ones.
    ///
    /// The `name` of a tag is folded, its link in the text is not (mastodon/mastodon, `app/lib/hashtag_normalizer.rb`).
    struct FoldedHashtag {
        let text: String

        init(_ hashtag: String) {
            let lowercase = hashtag.lowercased()
            if lowercase.utf8.allSatisfy({ $0 < 0x80 }) {
                text = lowercase
                return
            }
            var ofUsualWidth = ""
            for scalar in lowercase.unicodeScalars { ofUsualWidth.unicodeScalars.append(Self.widened(scalar)) }
            text = String(ofUsualWidth.map { Self.asciiLetters[$0] ?? $0 })
        }

        /// Returns the usual form of a fullwidth ASCII character or of a halfwidth Katakana, and any other as it is.
        private static func widened(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
            switch scalar.value {
            case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
            case 0xFF66...0xFF9F: katakana[Int(scalar.value - 0xFF66)]
            default: scalar
            }
        }

        /// The Katakana in the order of the halfwidth ones, which ends with the combining marks of sound.
        private static let katakana = Array(
            ("ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン"
                + "\u{3099}\u{309A}").unicodeScalars)

        /// The letters of Latin-1 and Latin Extended-A for which Mastodon has an ASCII letter; a letter with a mark is equal
        /// to the letter and the mark.
        private static let asciiLetters: [Character: Character] = {
            var letters: [Character: Character] = [
                "ð": "d", "đ": "d", "ħ": "h", "ı": "i", "ĸ": "k", "ł": "l", "ŋ": "n", "ø": "o", "ŧ": "t",
            ]
            let folded = Set((0xDF...0x17E).compactMap { Unicode.Scalar($0) }.map(Character.init))
            // From the grave accent to the ogonek.
            let marks = (0x300...0x328).compactMap { Unicode.Scalar($0) }
            for letter in "acdeghijklnorstuwyz" {
                for mark in marks {
                    let marked = Character("\(letter)\(mark)")
                    if folded.contains(marked) { letters[marked] = letter }
                }
            }
            return letters
        }()
    }
}
