/// The words of a text that are linked: mentions, hashtags and other links.
struct LinkedWords {
    /// A word as it is written, without its case, and where its link leads.
    private struct Key: Hashable {
        let word: String, target: String
    }

    private let plain: PlainText
    private var finder: EntityFinder
    private var linked: [Key: Int] = [:]
    private var words: [String: Int] = [:]
    private var taken = Set<Key>()

    /// The words of `plain`.
    init(_ plain: PlainText) {
        self.plain = plain
        finder = EntityFinder(plain.text)
        for (index, anchor) in plain.anchors.enumerated() {
            let key = Self.key(of: anchor)
            if linked[key] == nil { linked[key] = index }
            if words[key.word] == nil { words[key.word] = index }
        }
    }

    /// Where what has one of these spellings stands: first in a link that leads to `target`, in any link, or else once
    /// in the text.
    mutating func place(_ target: String?, _ spellings: [String]) -> CodePointRange? {
        let folded = spellings.map { $0.lowercased() }
        if let target {
            for word in folded {
                let key = Key(word: word, target: target)
                guard let index = linked[key] else { continue }
                taken.insert(key)
                return plain.anchors[index].range
            }
        }
        for word in folded {
            guard let index = words[word], taken.insert(Self.key(of: plain.anchors[index])).inserted else { continue }
            return plain.anchors[index].range
        }
        for spelling in spellings {
            if let range = finder.find([spelling]) { return range }
        }
        return nil
    }

    /// The links that nothing was placed at.
    var rest: [PlainText.Anchor] { plain.anchors.filter { !taken.contains(Self.key(of: $0)) } }

    private static func key(of anchor: PlainText.Anchor) -> Key {
        Key(word: anchor.text.lowercased(), target: anchor.target)
    }
}
