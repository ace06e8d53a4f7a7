import JSONText
import LenientCoding

extension TwitterV1.Status {
    /// Makes of a blank the contract's tweet of what was sent, with the tweets in it; false where that is no object, and
    /// where it has no id, date or text.
    static func fill(_ tweet: inout Tweet, from node: JSONNode, _ reader: inout RecordReader) -> Bool {
        var status = TwitterV1.Status()
        guard reader.fill(&status, from: node) else { return false }
        guard status.complete(ofText: status.retweetedStatus == nil, &reader) else {
            return reader.fail(.invalid) ?? false
        }
        status.move(to: &tweet)
        return true
    }

    /// Moves what is complete to where the tweet lies: copying its content would be dear.
    private mutating func move(to tweet: inout Tweet) {
        swap(&tweet.content, &content)
        tweet.quotedStatus = quotedStatus?.tweet
        tweet.retweetedStatus = retweetedStatus?.tweet
        guard let retweet = retweetedStatus?.tweet else { return }
        // What is passed on is cut short in the text of the tweet that passes it on.
        tweet.content.fullText = retweet.value.content.fullText
        tweet.content.displayTextRange = retweet.value.content.displayTextRange
        tweet.content.entities = retweet.value.content.entities
        tweet.content.media = retweet.value.content.media
        tweet.content.poll = retweet.value.content.poll
    }

    /// Moves it to where one that another tweet passes on lies.
    mutating func move(to tweet: inout RetweetedTweet) {
        swap(&tweet.content, &content)
        tweet.quotedStatus = quotedStatus?.tweet
    }

    /// Moves it to where one that another tweet quotes lies.
    mutating func move(to tweet: inout QuotedTweet) { swap(&tweet.content, &content) }

    /// Puts into `content` what the contract has in another form, without the text and what goes with that where it is
    /// another tweet's; false, and failures, where there is no id, date or text.
    mutating func complete(ofText hasText: Bool, _ reader: inout RecordReader) -> Bool {
        let id = reader.demand((idText ?? self.id)?.text, "id")
        let date = reader.demand(createdAt, "created_at")
        let text = hasText ? reader.demand(extendedTweet?.fullText ?? fullText ?? self.text, "text") : nil
        guard let id, let date, !hasText || text != nil else { return false }
        content.id = id
        content.createdAt = date.moment
        if let text { putText(text.text, &reader) }
        content.source = source?.source
        content.inReplyToStatusId = (repliedStatusText ?? repliedStatus)?.text
        content.inReplyToUserId = (repliedUserText ?? repliedUser)?.text
        content.user = user.take()?.user
        content.coordinates = coordinates(&reader)
        content.place = place.map { $0.place }
        content.quotedStatusId = (quotedIDText ?? quotedID)?.text
        content.withheldInCountries = withheldInCountries?.codes
        return true
    }

    /// Puts in the best text there is, and what goes with it from where it stands.
    private mutating func putText(_ sent: String, _ reader: inout RecordReader) {
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
