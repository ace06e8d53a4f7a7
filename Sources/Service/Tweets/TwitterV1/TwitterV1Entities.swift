import Records

extension TwitterV1 {
    struct WireMedia: Record {
        var media = Media()
        var id: WireID?, idString: WireID?
        var type: String?, fileURL: String?, secureFileURL: String?, url: String?, indices: WireIndices?
        var original: OriginalSize?, video: VideoInfo?

        static let schema = Schema<WireMedia> {
            Field("id", \.id)
            Field("id_str", \.idString)
            Field("type", \.type)
            Field("media_url", \.fileURL, .address)
            Field("media_url_https", \.secureFileURL, .address)
            Field("url", \.url, .address)
            Field("expanded_url", \.media.expandedUrl, .address)
            Field("display_url", \.media.displayUrl, .address)
            Field("ext_alt_text", \.media.altText)
            Field("indices", \.indices)
            Field("sizes", \.media.sizes)
            Field("original_info", \.original)
            Field("video_info", \.video)
            Ignored(
                "additional_media_info", "description", "ext", "features", "media_key", "source_status_id",
                "source_status_id_str", "source_user_id", "source_user_id_str", "title")
        }

        /// Returns the contract's media; nil, and reported, without an id.
        func model(_ locator: inout EntityLocator, _ reader: inout RecordReader) -> Media? {
            guard let id = idString ?? id else {
                reader.note(.dropped, .invalid)
                return nil
            }
            var media = media
            media.id = id.text
            media.setType(type, &reader)
            media.url = secureFileURL ?? fileURL
            media.url?.useSecureScheme()
            media.indices = locator.range(of: url, behind: [""], sentAt: indices, &reader)
            media.width = original?.width
            media.height = original?.height
            media.sizes = media.sizes?.cleaned
            media.aspectRatio = video?.aspectRatio
            media.durationMillis = video?.durationMillis
            media.variants = video?.variants?.map(\.variant)
            return media
        }
    }

    /// The size of the uploaded photo or video.
    struct OriginalSize: Record {
        var width: Int?, height: Int?

        static let schema = Schema<OriginalSize> {
            Field("width", \.width)
            Field("height", \.height)
            Ignored("focus_rects")
        }
    }

    struct VideoInfo: Record {
        var aspectRatio: [Int]?, durationMillis: Int?, variants: [WireVariant]?

        static let schema = Schema<VideoInfo> {
            Field("aspect_ratio", \.aspectRatio, .atMost(2))
            Field("duration_millis", \.durationMillis)
            Field("variants", \.variants, .dropInvalid)
        }
    }

    struct WireVariant: Record {
        var variant = MediaVariant()

        static let schema = Schema<WireVariant> {
            Field("bitrate", \.variant.bitrate)
            Field("content_type", \.variant.contentType)
            Field("url", \.variant.url, .address)
        }
    }

    struct WirePoll: Record {
        var poll = Poll(), options: [WirePollOption]?, endTime: WireDate?

        static let schema = Schema<WirePoll> {
            Field("options", \.options, .dropInvalid)
            Field("end_datetime", \.endTime)
            Field("duration_minutes", \.poll.durationMinutes)
        }

        var model: Poll {
            var poll = poll
            poll.options = options?.map(\.option)
            poll.endTime = endTime?.time
            return poll
        }
    }

    struct WireEntities: Record {
        var hashtags: [WireHashtag]?, symbols: [WireHashtag]?, urls: [WireLink]?, mentions: [WireMention]?
        var media: [WireMedia]?, polls: [WirePoll]?

        static let schema = Schema<WireEntities> {
            Field("hashtags", \.hashtags, .dropInvalid, .entityLimit)
            Field("symbols", \.symbols, .dropInvalid, .entityLimit)
            Field("urls", \.urls, .dropInvalid, .entityLimit)
            Field("user_mentions", \.mentions, .dropInvalid, .entityLimit)
            Field("media", \.media, .dropInvalid, .entityLimit)
            Field("polls", \.polls, .dropInvalid, .entityLimit)
            Ignored("description", "url")
        }

        /// Returns the contract's entities with their indices in the unescaped text.
        func model(_ locator: inout EntityLocator, _ reader: inout RecordReader) -> Entities {
            locator.entities(
                hashtags, symbols, at: "symbols", urls, mentions, at: "user_mentions", &reader)
        }
    }

    /// A hashtag or a ticker symbol.
    struct WireHashtag: WireEntity {
        var entity = Hashtag(), indices: WireIndices?

        static let schema = Schema<WireHashtag> {
            Field("text", \.entity.text)
            Field("indices", \.indices)
        }
    }

    struct WireLink: WireEntity {
        var entity = Link(), indices: WireIndices?

        static let schema = Schema<WireLink> {
            Field("url", \.entity.url, .address)
            Field("expanded_url", \.entity.expandedUrl, .address)
            Field("display_url", \.entity.displayUrl, .address)
            Field("indices", \.indices)
            Ignored("unwound")
        }
    }

    struct WireMention: WireEntity {
        var mention = UserMention(), id: WireID?, idString: WireID?, indices: WireIndices?

        static let schema = Schema<WireMention> {
            Field("id", \.id)
            Field("id_str", \.idString)
            Field("name", \.mention.name)
            Field("screen_name", \.mention.screenName)
            Field("indices", \.indices)
        }

        var entity: UserMention {
            var mention = mention
            mention.id = (idString ?? id)?.text
            return mention
        }
    }
}
