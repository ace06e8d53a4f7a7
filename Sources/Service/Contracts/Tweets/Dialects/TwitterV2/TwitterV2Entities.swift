import LenientCoding

extension TwitterV2 {
    struct WireEntities: Record {
        var hashtags: [WireHashtag]?, symbols: [WireHashtag]?, urls: [WireLink]?, mentions: [WireMention]?

        static let schema = Schema<WireEntities> {
            Field("hashtags", \.hashtags, .dropInvalid, .entityLimit)
            Field("cashtags", \.symbols, .dropInvalid, .entityLimit)
            Field("urls", \.urls, .dropInvalid, .entityLimit)
            Field("mentions", \.mentions, .dropInvalid, .entityLimit)
            Ignored("annotations")
        }

        /// Returns the contract's entities with their indices in the unescaped text.
        func model(_ locator: inout EntityLocator, _ reader: inout RecordReader) -> Entities {
            var model = Entities()
            model.hashtags = locator.entities(hashtags, at: "hashtags", behind: .hashtagSigns, &reader) { $0.text }
            model.symbols = locator.entities(symbols, at: "cashtags", behind: .symbolSigns, &reader) { $0.text }
            model.urls = locator.entities(urls, at: "urls", behind: .noSigns, &reader) { link in
                // Old links are escaped like their text.
                link.url = link.url.map { UnescapedText($0).text }
                return link.url
            }
            model.userMentions = locator.entities(mentions, at: "mentions", behind: .mentionSigns, &reader) {
                $0.screenName
            }
            return model
        }
    }

    /// A hashtag or a ticker symbol.
    struct WireHashtag: WireEntity {
        var entity = Hashtag(), start: Int?, end: Int?

        static let schema = Schema<WireHashtag> {
            Field("tag", \.entity.text)
            Field("start", \.start)
            Field("end", \.end)
        }

        var indices: WireIndices? { (start ?? end).map { _ in WireIndices(start, end) } }
    }

    /// A link in a text; a link to attached media has the key of the media.
    struct WireLink: WireEntity {
        var entity = Link(), mediaKey: String?, start: Int?, end: Int?

        static let schema = Schema<WireLink> {
            Field("url", \.entity.url)
            Field("expanded_url", \.entity.expandedUrl)
            Field("display_url", \.entity.displayUrl)
            Field("media_key", \.mediaKey)
            Field("start", \.start)
            Field("end", \.end)
            Ignored("description", "images", "status", "title", "unwound_url")
        }

        var indices: WireIndices? { (start ?? end).map { _ in WireIndices(start, end) } }
    }

    struct WireMention: WireEntity {
        var entity = UserMention(), start: Int?, end: Int?

        static let schema = Schema<WireMention> {
            Field("id", \.entity.id)
            Field("username", \.entity.screenName)
            Field("start", \.start)
            Field("end", \.end)
        }

        var indices: WireIndices? { (start ?? end).map { _ in WireIndices(start, end) } }
    }
}
