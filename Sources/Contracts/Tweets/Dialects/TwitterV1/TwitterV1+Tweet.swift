import LenientCoding

extension TwitterV1.Status {
    /// The contract's tweet, with the tweets in it; nil, and a failure of its own, where it has no id, date or text.
    func tweet(_ reader: inout RecordReader) -> Tweet? {
        let retweet: RetweetedTweet? = retweetedStatus.flatMap { status in
            reader.part("retweeted_status") { status.value.retweetedTweet(&$0) }
        }
        guard var content = content(ofText: retweet == nil, &reader) else { return nil }
        if let retweet {
            // What is passed on is cut short in the text of the tweet that passes it on.
            content.fullText = retweet.content.fullText
            content.displayTextRange = retweet.content.displayTextRange
            content.entities = retweet.content.entities
            content.media = retweet.content.media
            content.poll = retweet.content.poll
        }
        var tweet = Tweet()
        tweet.content = content
        tweet.quotedStatus = quote(&reader)
        tweet.retweetedStatus = retweet.map { Indirect($0) }
        return tweet
    }

    private func retweetedTweet(_ reader: inout RecordReader) -> RetweetedTweet? {
        guard let content = content(ofText: true, &reader) else { return nil }
        var tweet = RetweetedTweet()
        tweet.content = content
        tweet.quotedStatus = quote(&reader)
        return tweet
    }

    private func quote(_ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
        quotedStatus.flatMap { status in
            reader.part("quoted_status") { reader in
                status.value.content(ofText: true, &reader).map { content in
                    var quote = QuotedTweet()
                    quote.content = content
                    return Indirect(quote)
                }
            }
        }
    }

    /// What every tweet has, without its text and what goes with that where it is another one's.
    private func content(ofText hasText: Bool, _ reader: inout RecordReader) -> TweetContent? {
        var content = TweetContent()
        let id = reader.demand((idText ?? self.id)?.text, "id")
        let date = reader.demand(createdAt, "created_at")
        let text = hasText ? reader.demand(extendedTweet?.fullText ?? fullText ?? self.text, "text") : ""
        guard let id, let date, let text else { return nil }
        content.id = id
        content.createdAt = UnixSeconds(date.date)
        if hasText { putText(text, into: &content, &reader) }
        content.lang = lang
        content.source = source.map { TweetSource(anchor: $0) }
        content.inReplyToStatusId = (repliedStatusText ?? repliedStatus)?.text
        content.inReplyToUserId = (repliedUserText ?? repliedUser)?.text
        content.inReplyToScreenName = repliedName
        content.user = user.flatMap { user in reader.part("user") { user.user(&$0) } }
        content.coordinates = coordinates(&reader)
        content.place = place.map { $0.place }
        content.isQuoteStatus = isQuoteStatus
        content.quotedStatusId = (quotedIDText ?? quotedID)?.text
        content.retweetCount = retweetCount
        content.favoriteCount = favoriteCount
        content.replyCount = replyCount
        content.quoteCount = quoteCount
        content.favorited = favorited
        content.retweeted = retweeted
        content.possiblySensitive = possiblySensitive
        content.filterLevel = filterLevel
        content.withheldInCountries = withheldInCountries?.codes
        content.withheldScope = withheldScope
        return content
    }

    /// Puts in the best text there is, and what goes with it from where it stands.
    private func putText(_ sent: String, into content: inout TweetContent, _ reader: inout RecordReader) {
        let isExtended = extendedTweet?.fullText != nil
        let range = isExtended ? extendedTweet?.displayTextRange : displayTextRange
        let entities = isExtended ? extendedTweet?.entities : self.entities
        let extended = isExtended ? extendedTweet?.extendedEntities : extendedEntities
        var placing = EntityPlacing(sent)
        func put(_ reader: inout RecordReader) {
            content.displayTextRange = range.flatMap { range in
                reader.at("display_text_range") { placing.place(&$0, range) }
            }
            content.entities = entities.map { entities in reader.at("entities") { entities.entities(&placing, &$0) } }
            let (key, media): (StaticString, _) =
                extended?.media == nil ? ("entities", entities?.media) : ("extended_entities", extended?.media)
            content.media = media.map { media in
                reader.at(key) { $0.at("media") { media.media(&placing, &$0) } }
            }
            content.poll = (entities?.polls ?? extended?.polls)?.first?.poll
        }
        content.fullText = placing.text
        if isExtended { reader.at("extended_tweet") { put(&$0) } } else { put(&reader) }
    }

    /// GeoJSON has the longitude first; the older `geo` has the latitude first.
    private func coordinates(_ reader: inout RecordReader) -> Coordinates? {
        if let pair = point?.coordinates {
            return reader.at("coordinates") { Coordinates(pair, latitudeAt: 1, &$0) }
        }
        return olderPoint.flatMap { point in
            reader.at("geo") { Coordinates(point.coordinates, latitudeAt: 0, &$0) }
        }
    }
}

extension TwitterV1.Locality {
    fileprivate var place: Place {
        var place = Place()
        place.id = id?.text
        place.name = name
        place.fullName = fullName
        place.placeType = placeType
        place.country = country
        place.countryCode = countryCode
        place.boundingBox = boundingBox?.cleaned
        return place
    }
}
