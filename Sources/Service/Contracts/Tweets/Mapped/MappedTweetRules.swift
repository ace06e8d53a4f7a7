/// The rules of a mapping about posts: the units of indices, and the form of ids.
package struct MappedTweetRules: Sendable {
    /// The unit of the indices of entities.
    package var indices = TextUnit.codePoints
    /// The regular expression of ids, for descriptions of routes.
    package var idPattern = "^[A-Za-z0-9_-]{1,64}$"
    /// Whether a text matches ``idPattern``.
    package var matchesID: @Sendable (String) -> Bool = { $0.wholeMatch(of: /[A-Za-z0-9_\-]{1,64}/) != nil }

    /// The longest id, and the longest cursor, in bytes.
    package static let longestID = 512

    /// Code points, and ids of letters, digits, - and _.
    package init() {}

    /// Whether a post of the upstream can have this id.
    package func isID(_ text: String) -> Bool { Self.isPrintable(text) && matchesID(text) }

    /// Whether a text can be an id or a cursor: it has 1 to ``longestID`` bytes, and no control characters.
    package static func isPrintable(_ text: String) -> Bool {
        1...longestID ~= text.utf8.count
            && text.unicodeScalars.allSatisfy {
                ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
            }
    }
}
