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

/// A photo or a video that is attached to a tweet.
public struct Media: Record {
    /// The kinds of media.
    public enum Kind: String, Sendable, CaseIterable {
        /// A photo.
        case photo
        /// A video.
        case video
        /// A short video without sound that plays in a loop.
        case animatedGif
        /// A sound (Mastodon).
        case audio
        /// A file that the upstream itself does not know (Mastodon).
        case unknown
    }

    /// The file and its pages; see ``schema`` for each field.
    public var id = "", type: OpenEnum<Kind>?, url: String?, previewUrl: String?, expandedUrl: String?,
        displayUrl: String?,
        altText: String?, indices: CodePointRange?
    /// The dimensions (pixels, milliseconds).
    public var width: Int?, height: Int?, sizes: JSONValue?, aspectRatio: [Int]?, durationMillis: Int?
    /// The files of a video.
    public var variants: [MediaVariant]?

    /// Unknown media.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Media> {
        Field(\.id, .note("The upstream's id of the media."))
        Field(\.type, .note("The kind of media."))
        Field(
            \.url,
            .note("The https address of the picture; of a video, of its preview or, with Mastodon, of the file."))
        Field(\.previewUrl, .note("The https address of the picture that stands for a sound, such as its cover."))
        Field(\.expandedUrl, .note("The address of the page that shows the media."))
        Field(\.displayUrl, .note("The short form of expandedUrl for display."))
        Field(\.altText, .note("A description for readers who cannot see the media."))
        Field(\.indices, .note("The part of fullText that holds the link to the media."))
        Field(\.width, .note("The width in pixels."))
        Field(\.height, .note("The height in pixels."))
        Field(\.sizes, .note("The available sizes by name; the names are data and keep their spelling."))
        Field(\.aspectRatio, .dropInvalid, .note("The width and the height in lowest terms, such as [16,9]."))
        Field(\.durationMillis, .note("The duration of a video in milliseconds."))
        Field(\.variants, .dropInvalid, .note("The files of a video."))
    }
}

/// One file of a video.
public struct MediaVariant: Record {
    /// The fields; see ``schema``.
    public var bitrate: Int?, contentType: String?, url: String?

    /// An unknown file.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<MediaVariant> {
        Field(\.bitrate, .note("The bit rate in bits per second."))
        Field(\.contentType, .note("The media type (RFC 9110 §8.3.1)."))
        Field(\.url, .note("The address of the file."))
    }
}

/// A poll that is attached to a tweet.
public struct Poll: Record {
    /// The fields; see ``schema``.
    public var options: [PollOption]?, endTime: UnixSeconds?, durationMinutes: Int?

    /// A poll without options.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<Poll> {
        Field(\.options, .dropInvalid, .note("The options, in their order."))
        Field(\.endTime, .note("The time when the poll closes."))
        Field(\.durationMinutes, .note("The duration of the poll in minutes."))
    }
}

/// One option of a poll.
public struct PollOption: Record {
    /// The fields; see ``schema``.
    public var position: Int?, text: String?, votes: Int?

    /// An option without a label.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<PollOption> {
        Field(\.position, .note("The position of the option, starting at 1."))
        Field(\.text, .note("The text of the option."))
        Field(\.votes, .note("The number of votes."))
    }
}

extension Media {
    /// The upstreams' names of types that the contract calls otherwise.
    private static let types = ["animated_gif": "animatedGif", "gifv": "animatedGif", "image": "photo"]

    /// Sets the type from the upstream's name for it; other types than the contract's stay, and are reported.
    mutating func setType(_ name: String?, _ reader: inout RecordReader) {
        type = name.map { OpenEnum(Self.types[$0] ?? $0) }
        if case .unknown = type { reader.at("type") { $0.note(.unrecognized, .unknownValue) } }
    }
}

extension String {
    /// Replaces http with https in a URL; upstreams serve their images under both.
    mutating func useSecureScheme() {
        let plain: StaticString = "http://"
        guard utf8.span.holds(plain, at: 0) else { return }
        self = "https://" + self[utf8.index(startIndex, offsetBy: plain.utf8CodeUnitCount)...]
    }
}

extension JSONValue {
    /// The value in the form of answers: numbers as records write them, and no null members.
    var cleaned: JSONValue { isClean ? self : makeClean() }

    private var isClean: Bool {
        switch self {
        case .array(let elements): elements.allSatisfy(\.isClean)
        case .object(let members): members.allSatisfy { !$0.value.isNull && $0.value.isClean }
        default: !isFractional
        }
    }

    private func makeClean() -> JSONValue {
        switch self {
        case .array(let elements): .array(elements.map { $0.makeClean() })
        case .object(let members):
            .object(members.filter { !$0.value.isNull }.map { Member($0.key, $0.value.makeClean()) })
        default: withPlainNumbers
        }
    }
}
