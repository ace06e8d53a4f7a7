public import LenientCoding

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
    }

    /// The upstream's id.
    public var id = ""
    /// The kind of media.
    public var type: OpenEnum<Kind>?
    /// The address of the file, with the scheme https.
    public var url: String?
    /// The address of the web page that shows it, in full and as displayed.
    public var expandedUrl: String?, displayUrl: String?
    /// A description for people who cannot see it.
    public var altText: String?
    /// Where its link is in the text.
    public var indices: CodePointRange?
    /// The size in pixels.
    public var width: Int?, height: Int?
    /// The available sizes by name; the keys are data.
    public var sizes: JSONValue?
    /// The width and the height in lowest terms, such as `[16, 9]`.
    public var aspectRatio: [Int]?
    /// The duration of a video in milliseconds.
    public var durationMillis: Int?
    /// The files of a video.
    public var variants: [MediaVariant]?

    /// Unknown media.
    public init() {}

    /// The fields in the order in which they are written.
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

/// One file of a video.
public struct MediaVariant: Record {
    /// Bits per second.
    public var bitrate: Int?
    /// The media type (RFC 9110 §8.3.1).
    public var contentType: String?
    /// The address of the file.
    public var url: String?

    /// An unknown file.
    public init() {}

    /// The fields in the order in which they are written.
    public static let schema = Schema<MediaVariant> {
        Field(\.bitrate)
        Field(\.contentType)
        Field(\.url)
    }
}
