public import JSONText
public import Records

/// The entities in a tweet's text, each with the indices that cut exactly that entity out of `fullText`.
public struct Entities: Record {
    /// The entities by kind.
    public var hashtags: [Hashtag]?, symbols: [Hashtag]?, urls: [Link]?, userMentions: [UserMention]?

    /// No entities.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Entities> {
        Field(\.hashtags, .dropInvalid, .note("The hashtags."))
        Field(\.symbols, .dropInvalid, .note("The ticker symbols, which start with a dollar sign."))
        Field(\.urls, .dropInvalid, .note("The links."))
        Field(\.userMentions, .dropInvalid, .note("The mentioned users."))
    }
}

/// An entity with its position in the text.
protocol TextEntity {
    var indices: CodePointRange? { get set }
}

/// A hashtag or a ticker symbol.
public struct Hashtag: Record, TextEntity {
    /// The fields; see ``schema``.
    public var text = "", indices: CodePointRange?

    /// An empty word.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Hashtag> {
        Field(\.text, .note("The word without its sign."))
        Field(\.indices, .note("The part of fullText that holds the word with its sign."))
    }
}

/// A link in a text.
public struct Link: Record, TextEntity {
    /// The fields; see ``schema``.
    public var url: String?, expandedUrl: String?, displayUrl: String?, indices: CodePointRange?

    /// A link without an address.
    public init() {}

    /// Whether the link has an address in any form.
    var hasAddress: Bool { (url ?? expandedUrl ?? displayUrl) != nil }

    /// The fields in the order in which they are written.
    public static let schema = Schema<Link> {
        Field(\.url, .note("The link as it appears in the text."))
        Field(\.expandedUrl, .note("The target of the link."))
        Field(\.displayUrl, .note("The short form for display."))
        Field(\.indices, .note("The part of fullText that holds the link."))
    }
}

/// A mentioned user.
public struct UserMention: Record, TextEntity {
    /// The fields; see ``schema``.
    public var id: String?, name: String?, screenName: String?, indices: CodePointRange?

    /// A mention of an unknown user.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<UserMention> {
        Field(\.id, .note("The id of the user; absent if the upstream does not know it."))
        Field(\.name, .note("The display name."))
        Field(\.screenName, .note("The screen name, without the @ sign."))
        Field(\.indices, .note("The part of fullText that holds the mention with its @ sign."))
    }
}

/// A part of a text in Unicode code points, the end exclusive; `[start,end]` in JSON.
public struct CodePointRange: FieldValue, Hashable {
    /// The index of the first code point, and the index after the last one.
    public var start: Int, end: Int

    /// The part from `start` up to, but not including, `end`.
    public init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = end
    }

    /// `two indices`, for error messages.
    public static var expectation: String { "two indices" }

    /// The JSON Schema of an array of integers.
    public static func schema(in components: inout SchemaComponents) -> JSONValue {
        [Int].schema(in: &components)
    }

    /// Reads an array of two integers of which neither is negative and the second is not below the first.
    public static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> CodePointRange? {
        guard node.kind == .array, node.count == 2 else { return reader.fail(.mistyped) }
        var elements = node.elements.makeIterator()
        guard let first = elements.next(), let start = Int.read(first, rules, &reader),
            let last = elements.next(), let end = Int.read(last, rules, &reader)
        else { return nil }
        guard start >= 0, end >= start else { return reader.fail(.implausible) }
        return CodePointRange(start, end)
    }

    /// Writes `[start,end]`.
    public func write(to writer: inout JSONWriter, style: WritingStyle) {
        [start, end].write(to: &writer, style: style)
    }
}
