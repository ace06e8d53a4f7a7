import JSONText
import LenientCoding

extension TwitterV2 {
    /// Puts into tweets what they name, from what came beside them.
    struct Join {
        /// What came beside tweets, by its id, and how long it is when written.
        private typealias Shared<Value> = [String: (value: Value, length: Int)]

        private var users: Shared<User> = [:]
        private var tweets: Shared<(content: TweetContent, quoted: String?)> = [:]
        private var media: Shared<Media> = [:]
        private var places: Shared<Place> = [:]
        private var polls: Shared<Poll> = [:]
        /// How many bytes may yet be put in: a hundred tweets name one author, and so could a million.
        private var left = 32 << 20

        /// What came beside the tweets, each read once.
        init(_ includes: Includes?, _ reader: inout RecordReader) {
            for user in includes?.users ?? [] { Self.add(user.user, user.id.text, to: &users) }
            for place in includes?.places ?? [] { Self.add(place.place, place.id, to: &places) }
            for poll in includes?.polls ?? [] { Self.add(poll.poll, poll.id, to: &polls) }
            reader.at("media") { reader in
                for media in reader.mapElements(includes?.media ?? [], { $0.media(&$1) }) {
                    Self.add(media, media.id, to: &self.media)
                }
            }
            reader.at("tweets") { reader in
                let statuses = includes?.tweets ?? []
                let contents = reader.mapElements(statuses) { status, reader in
                    reader.part { content(status, &$0) }.map { ($0, status.reference("quoted")) }
                }
                for content in contents where tweets[content.0.id] == nil {
                    tweets[content.0.id] = ((content.0, content.1), Self.length(of: content.0))
                }
            }
        }

        /// The contract's tweet, with the tweets in it.
        mutating func tweet(_ status: Status, _ reader: inout RecordReader) -> Tweet? {
            guard var content = content(status, &reader) else { return nil }
            var tweet = Tweet()
            if let inner = take(status.reference("retweeted"), \.tweets, &reader) {
                var retweet = RetweetedTweet()
                retweet.content = inner.content
                retweet.quotedStatus = quote(inner.quoted, &reader)
                tweet.retweetedStatus = Indirect(retweet)
                content.fullText = inner.content.fullText
                content.entities = inner.content.entities
                content.media = inner.content.media
                content.poll = inner.content.poll
            }
            tweet.content = content
            tweet.quotedStatus = quote(status.reference("quoted"), &reader)
            return tweet
        }

        private mutating func quote(_ id: String?, _ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
            take(id, \.tweets, &reader).map { quoted in
                var quote = QuotedTweet()
                quote.content = quoted.content
                return Indirect(quote)
            }
        }

        private mutating func content(_ status: Status, _ reader: inout RecordReader) -> TweetContent? {
            var content = TweetContent()
            content.id = status.id.text
            // Who does not ask for the date does not get it; the id tells it.
            guard let date = status.createdAt?.moment ?? Snowflake.date(of: status.id.text) else {
                return reader.demand(nil, "created_at")
            }
            content.createdAt = date
            if status.createdAt == nil { reader.at("created_at") { $0.note(.defaulted, .missing) } }
            putText(of: status, into: &content, &reader)
            content.lang = status.lang
            content.source = status.source.map { TweetSource(anchor: $0) }
            content.inReplyToStatusId = status.reference("replied_to")
            content.inReplyToUserId = status.repliedUser
            content.inReplyToScreenName = status.repliedUser.flatMap { users[$0]?.value.screenName }
            content.user = take(status.author, \.users, &reader)
            content.coordinates = status.geo?.point.flatMap { point in
                reader.at("geo") { Coordinates(point.coordinates, latitudeAt: 1, &$0) }
            }
            content.place = take(status.geo?.place, \.places, &reader)
            content.quotedStatusId = status.reference("quoted")
            content.isQuoteStatus = content.quotedStatusId == nil ? nil : true
            content.retweetCount = status.metrics?.retweets
            content.favoriteCount = status.metrics?.likes
            content.replyCount = status.metrics?.replies
            content.quoteCount = status.metrics?.quotes
            content.possiblySensitive = status.possiblySensitive
            content.poll = take(status.attachments?.polls?.first { polls[$0] != nil }, \.polls, &reader)
            content.withheldInCountries = status.withheld?.countries
            content.withheldScope = status.withheld?.scope
            return content
        }

        private mutating func putText(
            of status: Status, into content: inout TweetContent, _ reader: inout RecordReader
        ) {
            var placing = EntityPlacing(status.note?.text ?? status.text, indicesAt: "start")
            content.fullText = placing.text
            let sent = status.note == nil ? status.entities : status.note?.entities
            func put(_ reader: inout RecordReader) {
                content.entities = sent.map { sent in
                    reader.at("entities") { entities(sent, &placing, &$0) }
                }
            }
            if status.note == nil { put(&reader) } else { reader.at("note_tweet") { put(&$0) } }
            let keys = zip(sent?.urls ?? [], content.entities?.urls ?? []).compactMap { sent, link in
                sent.mediaKey.map { ($0, link) }
            }
            let links = Dictionary(keys, uniquingKeysWith: { first, _ in first })
            content.media = status.attachments?.media.map { keys in
                keys.compactMap { key in take(key, \.media, &reader)?.linked(by: links[key]) }
            }
        }

        private func entities(
            _ sent: StatusEntities, _ placing: inout EntityPlacing, _ reader: inout RecordReader
        ) -> Entities {
            var entities = Entities()
            entities.hashtags = sent.hashtags.map { words in
                reader.at("hashtags") { words.hashtags(after: ["#", "＃"], &placing, &$0) }
            }
            entities.symbols = sent.symbols.map { words in
                reader.at("cashtags") { words.hashtags(after: ["$"], &placing, &$0) }
            }
            entities.urls = sent.urls.map { links in reader.at("urls") { links.links(&placing, &$0) } }
            entities.userMentions = sent.mentions.map { mentions in
                reader.at("mentions") { mentions.mentions(&placing, &$0) { users[$0]?.value } }
            }
            return entities
        }

        /// What came under this id; nil where nothing did or, reported, where more was put in than anyone needs.
        private mutating func take<Value>(
            _ id: String?, _ shared: KeyPath<Join, Shared<Value>>, _ reader: inout RecordReader
        ) -> Value? {
            guard let id, let (value, length) = self[keyPath: shared][id] else { return nil }
            guard length <= left else {
                reader.note(.dropped, .tooMany)
                return nil
            }
            left -= length
            return value
        }

        private static func add<Value: Record>(_ value: Value, _ id: String, to shared: inout Shared<Value>) {
            if shared[id] == nil { shared[id] = (value, length(of: value)) }
        }

        private static func length(of value: some Record) -> Int {
            var writer = JSONWriter()
            value.write(to: &writer, style: WritingStyle())
            return writer.bytes.count
        }
    }
}

extension TwitterV2.Status {
    /// The id of the tweet that this one speaks of in that way.
    fileprivate func reference(_ type: String) -> String? { references?.first { $0.type == type }?.id }
}
