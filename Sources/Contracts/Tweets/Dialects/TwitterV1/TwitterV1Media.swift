import LenientCoding

extension TwitterV1.StatusEntities {
    /// The contract's entities, each where it stands in the text.
    func entities(_ placing: inout EntityPlacing, _ reader: inout RecordReader) -> Entities {
        var entities = Entities()
        entities.hashtags = hashtags.map { words in
            reader.at("hashtags") { words.hashtags(after: EntitySpelling.hashtag, &placing, &$0) }
        }
        entities.symbols = symbols.map { words in
            reader.at("symbols") { words.hashtags(after: EntitySpelling.symbol, &placing, &$0) }
        }
        entities.urls = urls.map { links in reader.at("urls") { links.links(&placing, &$0) } }
        entities.userMentions = mentions.map { mentions in
            reader.at("user_mentions") { mentions.mentions(&placing, &$0) }
        }
        return entities
    }
}

extension [TwitterV1.Word] {
    fileprivate func hashtags(
        after signs: [String], _ placing: inout EntityPlacing, _ reader: inout RecordReader
    ) -> [Hashtag] {
        reader.mapElements(self) { word, reader in
            var hashtag = Hashtag()
            hashtag.text = word.text
            hashtag.indices = placing.place(&reader, word.indices, of: EntitySpelling(signs: signs, word: word.text))
            return hashtag
        }
    }
}

extension [TwitterV1.TextLink] {
    fileprivate func links(_ placing: inout EntityPlacing, _ reader: inout RecordReader) -> [Link] {
        reader.mapElements(self) { sent, reader in
            var link = Link()
            // Old links are escaped like the text that they stand in.
            link.url = sent.url.map { UnescapedText($0).text }
            link.expandedUrl = sent.expandedUrl
            link.displayUrl = sent.displayUrl
            link.indices = placing.place(&reader, sent.indices, of: .link(link.url))
            return link
        }
    }
}

extension [TwitterV1.Mention] {
    fileprivate func mentions(_ placing: inout EntityPlacing, _ reader: inout RecordReader) -> [UserMention] {
        reader.mapElements(self) { sent, reader in
            var mention = UserMention()
            mention.id = (sent.idText ?? sent.id)?.text
            mention.name = sent.name
            mention.screenName = sent.screenName
            mention.indices = placing.place(&reader, sent.indices, of: .mention(sent.screenName))
            return mention
        }
    }
}

extension [TwitterV1.Attachment] {
    /// The contract's media; those without an id are removed and counted.
    func media(_ placing: inout EntityPlacing, _ reader: inout RecordReader) -> [Media] {
        reader.mapElements(self) { sent, reader in
            guard let id = (sent.idText ?? sent.id)?.text else {
                reader.note(.dropped, .invalid)
                return nil
            }
            var media = sent.media(id, &reader)
            media.indices = placing.place(&reader, sent.indices, of: .link(sent.url))
            return media
        }
    }
}

extension TwitterV1.Attachment {
    fileprivate func media(_ id: String, _ reader: inout RecordReader) -> Media {
        var media = Media()
        media.id = id
        media.type = type.map { OpenEnum($0 == "animated_gif" ? "animatedGif" : $0) }
        if case .unknown = media.type { reader.at("type") { $0.note(.unrecognized, .unknownValue) } }
        media.url = (secureLink ?? link)?.text.withSecureScheme
        media.expandedUrl = expandedUrl
        media.displayUrl = displayUrl
        media.altText = altText
        media.width = original?.width
        media.height = original?.height
        media.sizes = sizes?.cleaned
        media.aspectRatio = video?.aspectRatio
        media.durationMillis = video?.durationMillis
        media.variants = video?.variants.map { variants in
            variants.map { sent in
                var variant = MediaVariant()
                variant.bitrate = sent.bitrate
                variant.contentType = sent.contentType
                variant.url = sent.url
                return variant
            }
        }
        return media
    }
}

extension TwitterV1.Question {
    /// The contract's poll.
    var poll: Poll {
        var poll = Poll()
        poll.options = options?.map(\.option)
        poll.endTime = endTime?.moment
        poll.durationMinutes = durationMinutes
        return poll
    }
}
