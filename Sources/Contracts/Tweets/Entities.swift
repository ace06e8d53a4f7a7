public import LenientCoding

/// The entities in a tweet's text, each with the indices that cut exactly that entity out of `fullText`.
public struct Entities: Record {
    /// Words behind `#`, and ticker symbols behind `$`.
    public var hashtags: [Hashtag]?, symbols: [Hashtag]?
    /// Links.
    public var urls: [Link]?
    /// Users behind `@`.
    public var userMentions: [UserMention]?

    /// No entities.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Entities> {
        Field(\.hashtags, .dropInvalid)
        Field(\.symbols, .dropInvalid)
        Field(\.urls, .dropInvalid)
        Field(\.userMentions, .dropInvalid)
    }
}

/// An entity with its position in the text.
protocol TextEntity {
    var indices: CodePointRange? { get set }
}

/// A word behind `#` or `$`.
public struct Hashtag: Record, TextEntity {
    /// The word without its sign.
    public var text = ""
    /// Where the word is in the text, its sign included.
    public var indices: CodePointRange?

    /// An empty word.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Hashtag> {
        Field(\.text)
        Field(\.indices)
    }
}

/// A link in a text.
public struct Link: Record, TextEntity {
    /// The address as it appears in the text, in full, and as displayed.
    public var url: String?, expandedUrl: String?, displayUrl: String?
    /// Where the link is in the text.
    public var indices: CodePointRange?

    /// A link without an address.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Link> {
        Field(\.url)
        Field(\.expandedUrl)
        Field(\.displayUrl)
        Field(\.indices)
    }
}

/// A user behind `@`.
public struct UserMention: Record, TextEntity {
    /// The id; absent for deleted users.
    public var id: String?
    /// The display name, and the name in the text.
    public var name: String?, screenName: String?
    /// Where the mention is in the text, the `@` included.
    public var indices: CodePointRange?

    /// A mention of an unknown user.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<UserMention> {
        Field(\.id)
        Field(\.name)
        Field(\.screenName)
        Field(\.indices)
    }
}
