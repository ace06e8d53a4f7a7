import LenientCoding

extension TwitterV2.Profile {
    /// The contract's user.
    var user: User {
        var user = User()
        user.id = id.text
        user.name = name
        user.screenName = username
        user.description = description
        user.location = location
        user.url = url
        user.protected = protected
        user.verified = verified
        user.followersCount = metrics?.followers
        user.friendsCount = metrics?.following
        user.listedCount = metrics?.listed
        user.favouritesCount = metrics?.likes
        user.statusesCount = metrics?.tweets
        user.createdAt = createdAt?.moment
        user.profileImageUrl = image?.withSecureScheme
        user.profileBannerUrl = banner?.withSecureScheme
        user.withheldInCountries = withheld?.countries
        return user
    }
}

extension TwitterV2.Locality {
    /// The contract's place.
    var place: Place {
        var place = Place()
        place.id = id
        place.name = name
        place.fullName = fullName
        place.placeType = placeType
        place.country = country
        place.countryCode = countryCode
        place.boundingBox = area?.cleaned
        return place
    }
}

extension TwitterV2.Attachment {
    /// The contract's media.
    func media(_ reader: inout RecordReader) -> Media {
        var media = Media()
        media.id = key
        media.type = type.map { OpenEnum($0 == "animated_gif" ? "animatedGif" : $0) }
        if case .unknown = media.type { reader.at("type") { $0.note(.unrecognized, .unknownValue) } }
        media.url = (url ?? preview)?.withSecureScheme
        media.altText = altText
        media.width = width
        media.height = height
        media.durationMillis = duration
        media.variants = variants.map { variants in
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

extension Media {
    /// The media with the link in a text that leads to it.
    func linked(by link: Link?) -> Media {
        var media = self
        media.expandedUrl = link?.expandedUrl
        media.displayUrl = link?.displayUrl
        media.indices = link?.indices
        return media
    }
}

extension TwitterV2.Question {
    /// The contract's poll.
    var poll: Poll {
        var poll = Poll()
        poll.options = options?.map(\.option)
        poll.endTime = endTime?.moment
        poll.durationMinutes = durationMinutes
        return poll
    }
}

extension [TwitterV2.Word] {
    func hashtags(after signs: [String], _ placing: inout EntityPlacing, _ reader: inout RecordReader) -> [Hashtag] {
        reader.mapElements(self) { word, reader in
            var hashtag = Hashtag()
            hashtag.text = word.tag
            hashtag.indices = placing.place(
                &reader, SentIndices(word.start, word.end), of: EntitySpelling(signs: signs, word: word.tag))
            return hashtag
        }
    }
}

extension [TwitterV2.TextLink] {
    func links(_ placing: inout EntityPlacing, _ reader: inout RecordReader) -> [Link] {
        reader.mapElements(self) { sent, reader in
            var link = Link()
            link.url = sent.url.map { UnescapedText($0).text }
            link.expandedUrl = sent.expandedUrl
            link.displayUrl = sent.displayUrl
            link.indices = placing.place(&reader, SentIndices(sent.start, sent.end), of: .link(link.url))
            return link
        }
    }
}

extension [TwitterV2.Mention] {
    func mentions(
        _ placing: inout EntityPlacing, _ reader: inout RecordReader, user: (String) -> User?
    ) -> [UserMention] {
        reader.mapElements(self) { sent, reader in
            var mention = UserMention()
            mention.id = sent.id
            mention.name = sent.id.flatMap { user($0)?.name }
            mention.screenName = sent.username
            mention.indices = placing.place(&reader, SentIndices(sent.start, sent.end), of: .mention(sent.username))
            return mention
        }
    }
}
