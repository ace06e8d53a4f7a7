import LenientCoding

extension TwitterV1 {
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
            var model = Entities()
            model.hashtags = locator.entities(hashtags, at: "hashtags", behind: .hashtagSigns, &reader) { $0.text }
            model.symbols = locator.entities(symbols, at: "symbols", behind: .symbolSigns, &reader) { $0.text }
            model.urls = locator.entities(urls, at: "urls", behind: .noSigns, &reader) { link in
                // Old links are escaped like their text.
                link.url = link.url.map { UnescapedText($0).text }
                return link.url
            }
            model.userMentions = locator.entities(mentions, at: "user_mentions", behind: .mentionSigns, &reader) {
                $0.screenName
            }
            return model
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
            Field("url", \.entity.url)
            Field("expanded_url", \.entity.expandedUrl)
            Field("display_url", \.entity.displayUrl)
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
