import LenientCoding

extension Mastodon.Account {
    /// The contract's user; nil, and a failure, where there is no id.
    func user(_ reader: inout RecordReader) -> User? {
        guard let id = reader.demand(self.id?.text, "id") else { return nil }
        var user = User()
        user.id = id
        user.name = displayName
        user.screenName = address ?? name
        user.description = note.map { PlainText(html: $0).text }
        user.location = location
        user.url = url
        user.protected = locked
        user.bot = bot
        user.followersCount = followersCount
        user.friendsCount = followingCount
        user.statusesCount = statusesCount
        user.createdAt = createdAt?.moment
        user.profileImageUrl = avatar?.withSecureScheme
        user.profileBannerUrl = header?.withSecureScheme
        return user
    }
}

extension Mastodon.Attachment {
    /// The contract's media; nil, and reported, where there is no id.
    func media(_ reader: inout RecordReader) -> Media? {
        guard let id = id?.text else {
            reader.note(.dropped, .invalid)
            return nil
        }
        var media = Media()
        media.id = id
        media.type = type.map { OpenEnum(Self.types[$0] ?? $0) }
        if case .unknown = media.type { reader.at("type") { $0.note(.unrecognized, .unknownValue) } }
        media.url = (url ?? remoteURL ?? preview)?.withSecureScheme
        media.altText = description
        media.width = meta?.original?.width
        media.height = meta?.original?.height
        media.durationMillis = meta?.original?.duration.flatMap { seconds in
            (0...1e9).contains(seconds) ? Int((seconds * 1000).rounded()) : nil
        }
        return media
    }

    private static let types = ["image": "photo", "video": "video", "gifv": "animatedGif"]
}

extension Mastodon.Question {
    /// The contract's poll.
    var poll: Poll {
        var poll = Poll()
        poll.options = options.map { options in
            options.enumerated().map { index, sent in
                var option = PollOption()
                option.position = index + 1
                option.text = sent.title
                option.votes = sent.votes
                return option
            }
        }
        poll.endTime = expiresAt?.moment
        return poll
    }
}
