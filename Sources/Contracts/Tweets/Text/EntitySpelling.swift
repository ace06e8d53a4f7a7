/// How an entity may be written: a word behind one of some signs, or a link, which has none.
struct EntitySpelling {
    /// The signs in front of hashtags and of ticker symbols.
    static let hashtag = ["#", "＃"], symbol = ["$"]
    private static let at = ["@", "＠"], none = [""]

    let signs: [String]
    /// Nil where the upstream did not say it: then nothing is a spelling.
    let word: String?

    /// A user's name behind `@`.
    static func mention(_ name: String?) -> EntitySpelling { EntitySpelling(signs: at, word: name) }

    /// A link as it is.
    static func link(_ url: String?) -> EntitySpelling { EntitySpelling(signs: none, word: url) }

    /// The word behind each of the signs.
    var all: [String] { word.map { word in signs.map { $0 + word } } ?? [] }
}
