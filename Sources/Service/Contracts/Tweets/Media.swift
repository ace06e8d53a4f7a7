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

    /// The file and its pages; see ``schema`` for each field.
    public var id = "", type: OpenEnum<Kind>?, url: String?, expandedUrl: String?, displayUrl: String?,
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
