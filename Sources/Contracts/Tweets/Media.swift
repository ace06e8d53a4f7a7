public import LenientCoding

/// A picture or a film.
public struct Media: Record {
    /// What it is.
    public enum Kind: String, Sendable, CaseIterable {
        /// A picture.
        case photo
        /// A film.
        case video
        /// A short film without sound.
        case animatedGif
    }

    /// The id, digit for digit.
    public var id = ""
    /// What it is.
    public var type: OpenEnum<Kind>?
    /// Where it lies, by https.
    public var url: String?
    /// Where it is shown, and how that link is shown.
    public var expandedUrl: String?, displayUrl: String?
    /// What is to be seen, in words.
    public var altText: String?
    /// Where its link stands in the text.
    public var indices: CodePointRange?
    /// Its size in pixels.
    public var width: Int?, height: Int?
    /// The sizes that it can be had in, by their names, which are data.
    public var sizes: JSONValue?
    /// Width to height.
    public var aspectRatio: [Int]?
    /// How long the film is, in milliseconds.
    public var durationMillis: Int?
    /// The film's files.
    public var variants: [MediaVariant]?

    /// No picture.
    public init() {}

    /// One line a field.
    public static let schema = Schema<Media> {
        Field(\.id)
        Field(\.type)
        Field(\.url)
        Field(\.expandedUrl)
        Field(\.displayUrl)
        Field(\.altText)
        Field(\.indices)
        Field(\.width)
        Field(\.height)
        Field(\.sizes)
        Field(\.aspectRatio, .dropInvalid)
        Field(\.durationMillis)
        Field(\.variants, .dropInvalid)
    }
}

/// One file of a film.
public struct MediaVariant: Record {
    /// Bits a second.
    public var bitrate: Int?
    /// The media type (RFC 9110 §8.3.1).
    public var contentType: String?
    /// Where it lies.
    public var url: String?

    /// No file.
    public init() {}

    /// One line a field.
    public static let schema = Schema<MediaVariant> {
        Field(\.bitrate)
        Field(\.contentType)
        Field(\.url)
    }
}
