import LenientCoding

extension TwitterV1 {
    /// What stands in a text.
    struct StatusEntities: Record {
        var hashtags: [Word]?, symbols: [Word]?, urls: [TextLink]?, mentions: [Mention]?, media: [Attachment]?
        var polls: [Question]?

        /// A text of 280 characters has room for far fewer.
        private static let most = 500

        static let schema = Schema<StatusEntities> {
            Field("hashtags", \.hashtags, .dropInvalid, .atMost(most))
            Field("symbols", \.symbols, .dropInvalid, .atMost(most))
            Field("urls", \.urls, .dropInvalid, .atMost(most))
            Field("user_mentions", \.mentions, .dropInvalid, .atMost(most))
            Field("media", \.media, .dropInvalid, .atMost(most))
            Field("polls", \.polls, .dropInvalid, .atMost(most))
            Ignored("description", "url")
        }
    }

    /// A hashtag or a symbol.
    struct Word: Record {
        var text = "", indices: SentIndices?

        static let schema = Schema<Word> {
            Field("text", \.text)
            Field("indices", \.indices)
        }
    }

    /// A link in a text.
    struct TextLink: Record {
        var url: String?, expandedUrl: String?, displayUrl: String?, indices: SentIndices?

        static let schema = Schema<TextLink> {
            Field("url", \.url)
            Field("expanded_url", \.expandedUrl)
            Field("display_url", \.displayUrl)
            Field("indices", \.indices)
            Ignored("unwound")
        }
    }

    /// A user in a text.
    struct Mention: Record {
        var id: TweetID?, idText: TweetID?, name: String?, screenName: String?, indices: SentIndices?

        static let schema = Schema<Mention> {
            Field("id", \.id)
            Field("id_str", \.idText)
            Field("name", \.name)
            Field("screen_name", \.screenName)
            Field("indices", \.indices)
        }
    }

    /// A picture or a film.
    struct Attachment: Record {
        var id: TweetID?, idText: TweetID?
        var type: String?, link: SentText?, secureLink: SentText?
        var url: String?, expandedUrl: String?, displayUrl: String?, altText: String?, indices: SentIndices?
        var sizes: JSONValue?, original: Extent?, video: Film?

        static let schema = Schema<Attachment> {
            Field("id", \.id)
            Field("id_str", \.idText)
            Field("type", \.type)
            Field("media_url", \.link)
            Field("media_url_https", \.secureLink)
            Field("url", \.url)
            Field("expanded_url", \.expandedUrl)
            Field("display_url", \.displayUrl)
            Field("ext_alt_text", \.altText)
            Field("indices", \.indices)
            Field("sizes", \.sizes)
            Field("original_info", \.original)
            Field("video_info", \.video)
            Ignored(
                "additional_media_info", "description", "ext", "features", "media_key", "source_status_id",
                "source_status_id_str", "source_user_id", "source_user_id_str", "title")
        }
    }

    /// The size of a picture.
    struct Extent: Record {
        var width: Int?, height: Int?

        static let schema = Schema<Extent> {
            Field("width", \.width)
            Field("height", \.height)
            Ignored("focus_rects")
        }
    }

    /// What is known of a film.
    struct Film: Record {
        var aspectRatio: [Int]?, durationMillis: Int?, variants: [Variant]?

        static let schema = Schema<Film> {
            Field("aspect_ratio", \.aspectRatio, .atMost(2))
            Field("duration_millis", \.durationMillis)
            Field("variants", \.variants, .dropInvalid)
        }
    }

    /// A file of a film.
    struct Variant: Record {
        var bitrate: Int?, contentType: String?, url: String?

        static let schema = Schema<Variant> {
            Field("bitrate", \.bitrate)
            Field("content_type", \.contentType)
            Field("url", \.url)
        }
    }

    /// A poll.
    struct Question: Record {
        var options: [SentPollOption]?, endTime: Moment?, durationMinutes: Int?

        static let schema = Schema<Question> {
            Field("options", \.options, .dropInvalid)
            Field("end_datetime", \.endTime)
            Field("duration_minutes", \.durationMinutes)
        }
    }
}
