public import LenientCoding

/// What stands in a tweet's text: each with the indices that cut exactly it out of `fullText`.
public struct Entities: Record {
    /// Words behind `#`, and ticker symbols behind `$`.
    public var hashtags: [Hashtag]?, symbols: [Hashtag]?
    /// Links.
    public var urls: [Link]?
    /// Users behind `@`.
    public var userMentions: [UserMention]?

    /// Nothing.
    public init() {}

    /// One line a field.
    public static let schema = Schema<Entities> {
        Field(\.hashtags, .dropInvalid)
        Field(\.symbols, .dropInvalid)
        Field(\.urls, .dropInvalid)
        Field(\.userMentions, .dropInvalid)
    }
}

/// A word behind `#` or `$`.
public struct Hashtag: Record {
    /// The word without its sign.
    public var text = ""
    /// Where it stands, its sign included.
    public var indices: CodePointRange?

    /// No word.
    public init() {}

    /// One line a field.
    public static let schema = Schema<Hashtag> {
        Field(\.text)
        Field(\.indices)
    }
}

/// A link in a text.
public struct Link: Record {
    /// The link as it stands in the text, where it leads, and how it is shown.
    public var url: String?, expandedUrl: String?, displayUrl: String?
    /// Where it stands.
    public var indices: CodePointRange?

    /// A link to nowhere.
    public init() {}

    /// One line a field.
    public static let schema = Schema<Link> {
        Field(\.url)
        Field(\.expandedUrl)
        Field(\.displayUrl)
        Field(\.indices)
    }
}

/// A user behind `@`.
public struct UserMention: Record {
    /// The id; deleted users have none.
    public var id: String?
    /// The name that is shown, and the one in the text.
    public var name: String?, screenName: String?
    /// Where it stands, the `@` included.
    public var indices: CodePointRange?

    /// Nobody.
    public init() {}

    /// One line a field.
    public static let schema = Schema<UserMention> {
        Field(\.id)
        Field(\.name)
        Field(\.screenName)
        Field(\.indices)
    }
}
