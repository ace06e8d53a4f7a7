import JSONText
import LenientCoding

extension TwitterV2 {
    /// Joins tweets with the objects of `includes` that they refer to.
    struct Join {
        /// Objects of one kind by their ids, with their lengths in the answer.
        private typealias Included<Value> = [String: (value: Value, length: Int)]

        private var users: Included<User> = [:]
        private var tweets: Included<TweetContent> = [:], quotedIDs: [String: String] = [:]
        private var media: Included<Media> = [:]
        private var places: Included<Place> = [:]
        private var polls: Included<Poll> = [:]
        /// The number of bytes that may still be inserted: a million tweets could refer to one long description.
        private var budget = 32 << 20

        /// Converts the included objects, once for all tweets that refer to them.
        init(_ includes: Includes?, _ reader: inout RecordReader) {
            for user in includes?.users ?? [] { Self.add(user.model, user.id.text, to: &users) }
            for place in includes?.places ?? [] { Self.add(place.model, place.place.id ?? "", to: &places) }
            for poll in includes?.polls ?? [] { Self.add(poll.model, poll.id, to: &polls) }
            reader.at("media") { reader in
                for media in reader.mapElements(includes?.media ?? [], { $0.model(&$1) }) {
                    Self.add(media, media.id, to: &self.media)
                }
            }
            reader.at("tweets") { reader in
                let contents = reader.mapElements(includes?.tweets ?? []) { wire, reader in
                    reader.part { content(wire, &$0) }.map { ($0, wire.reference("quoted")) }
                }
                for (content, quoted) in contents where tweets[content.id] == nil {
                    Self.add(content, content.id, to: &tweets)
                    quotedIDs[content.id] = quoted
                }
            }
        }

        /// Returns the contract's tweet with the tweets that it quotes and retweets.
        mutating func tweet(_ wire: WireTweet, _ reader: inout RecordReader) -> Tweet? {
            guard let content = content(wire, &reader) else { return nil }
            var tweet = Tweet()
            tweet.content = content
            if let retweeted = take(wire.reference("retweeted"), \.tweets, &reader) {
                let quote = quote(quotedIDs[retweeted.id], &reader)
                let retweeted = Indirect(RetweetedTweet(retweeted, quotedStatus: quote))
                tweet.retweetedStatus = retweeted
                tweet.content.takeText(of: retweeted)
            }
            tweet.quotedStatus = quote(wire.reference("quoted"), &reader)
            return tweet
        }

        private mutating func quote(_ id: String?, _ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
            take(id, \.tweets, &reader).map { Indirect(QuotedTweet($0)) }
        }

        private mutating func content(_ wire: WireTweet, _ reader: inout RecordReader) -> TweetContent? {
            // An answer has the date only if it was requested; the id contains it.
            guard let date = wire.createdAt?.time ?? wire.id.snowflakeTime else {
                return reader.demand(nil, "created_at")
            }
            if wire.createdAt == nil { reader.at("created_at") { $0.note(.defaulted, .missing) } }
            var content = wire.content
            content.id = wire.id.text
            content.createdAt = date
            setText(of: &content, from: wire, &reader)
            content.source = wire.source?.source
            content.inReplyToStatusId = wire.reference("replied_to")
            content.inReplyToScreenName = content.inReplyToUserId.flatMap { users[$0]?.value.screenName }
            content.user = take(wire.author, \.users, &reader)
            content.coordinates = wire.geo?.point.flatMap { point in
                reader.at("geo") { point.model(latitudeAt: 1, &$0) }
            }
            content.place = take(wire.geo?.place, \.places, &reader)
            content.quotedStatusId = wire.reference("quoted")
            content.isQuoteStatus = content.quotedStatusId == nil ? nil : true
            content.retweetCount = wire.metrics?.retweets
            content.favoriteCount = wire.metrics?.likes
            content.replyCount = wire.metrics?.replies
            content.quoteCount = wire.metrics?.quotes
            content.bookmarkCount = wire.metrics?.bookmarks
            content.impressionCount = wire.metrics?.impressions
            content.poll = take(wire.attachments?.polls?.first { polls[$0] != nil }, \.polls, &reader)
            content.withheldInCountries = wire.withheld?.countries
            content.withheldScope = wire.withheld?.scope.map { $0 == "post" ? "tweet" : $0 }
            return content
        }

        private mutating func setText(
            of content: inout TweetContent, from wire: WireTweet, _ reader: inout RecordReader
        ) {
            var locator = EntityLocator(wire.note?.text ?? wire.text, indexKey: "start")
            content.fullText = locator.text
            // The range is one of `text`, which of a note is cut.
            if wire.note == nil, let range = wire.displayTextRange {
                content.displayTextRange = reader.at("display_text_range") { locator.range(range, &$0) }
            }
            let sent = wire.note == nil ? wire.entities : wire.note?.entities
            func entities(_ reader: inout RecordReader) -> Entities? {
                sent.map { sent in reader.at("entities") { sent.model(&locator, &$0) } }
            }
            content.entities = wire.note == nil ? entities(&reader) : reader.at("note_tweet") { entities(&$0) }
            for (index, mention) in (content.entities?.userMentions ?? []).enumerated() {
                content.entities?.userMentions?[index].name = mention.id.flatMap { users[$0]?.value.name }
            }
            let keyedLinks = zip(sent?.urls ?? [], content.entities?.urls ?? []).compactMap { sent, link in
                sent.mediaKey.map { ($0, link) }
            }
            let links = Dictionary(keyedLinks, uniquingKeysWith: { first, _ in first })
            content.media = wire.attachments?.media.map { keys in
                keys.compactMap { key in
                    guard var media = take(key, \.media, &reader) else { return nil }
                    media.expandedUrl = links[key]?.expandedUrl
                    media.displayUrl = links[key]?.displayUrl
                    media.indices = links[key]?.indices
                    return media
                }
            }
        }

        /// Returns the included object with this id; nil if there is none or, reported, if the budget is spent.
        private mutating func take<Value>(
            _ id: String?, _ included: KeyPath<Join, Included<Value>>, _ reader: inout RecordReader
        ) -> Value? {
            guard let id, let (value, length) = self[keyPath: included][id] else { return nil }
            guard length <= budget else {
                reader.note(.dropped, .tooMany)
                return nil
            }
            budget -= length
            return value
        }

        private static func add<Value: Record>(_ value: Value, _ id: String, to included: inout Included<Value>) {
            guard included[id] == nil else { return }
            var writer = JSONWriter()
            value.write(to: &writer, style: WritingStyle())
            included[id] = (value, writer.bytes.count)
        }
    }
}
