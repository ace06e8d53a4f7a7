import JSONText
import LenientCoding

extension TwitterV2 {
    /// Joins tweets with the objects of `includes` that they refer to.
    struct Join {
        /// An object that tweets refer to.
        private struct Included<Value: Record> {
            let value: Value
            var isInserted = false
            /// Its length in the answer, once it is inserted again.
            var length: Int?
        }

        /// An id: nearly all are numbers, which are hashed faster than texts.
        private enum Key: Hashable {
            case number(UInt64)
            case text(String)

            init(_ id: String) {
                // Only of one spelling, such as no other zeros.
                let number = id.utf8.first == UInt8(ascii: "0") ? nil : UInt64(id)
                self = number.map(Key.number) ?? .text(id)
            }
        }

        /// The objects by their ids.
        private var users: [Key: Included<User>] = [:]
        private var tweets: [Key: Included<TweetContent>] = [:], quotedIDs: [String: String] = [:]
        private var media: [Key: Included<Media>] = [:]
        private var places: [Key: Included<Place>] = [:]
        private var polls: [Key: Included<Poll>] = [:]
        /// The number of bytes that may still be repeated: a million tweets could refer to one long description.
        private var budget = 32 << 20

        /// Converts the included objects, once for all tweets that refer to them.
        init(_ includes: inout Includes?, _ reader: inout RecordReader) {
            let models = includes?.users?.models ?? []
            users.reserveCapacity(models.count)
            for user in models { Self.add(user, user.id, to: &users) }
            for place in includes?.places ?? [] { Self.add(place.model, place.place.id ?? "", to: &places) }
            for poll in includes?.polls ?? [] { Self.add(poll.model, poll.id, to: &polls) }
            reader.at("media") { reader in
                for media in reader.mapElements(includes?.media ?? [], { $0.model(&$1) }) {
                    Self.add(media, media.id, to: &self.media)
                }
            }
            var wires = includes?.tweets.take() ?? []
            reader.at("tweets") { reader in
                let contents = reader.mapElements(&wires) { wire, reader in
                    reader.part { reader -> (TweetContent, quoted: String?)? in
                        guard completeContent(of: &wire, &reader) else { return nil }
                        var content = TweetContent()
                        swap(&content, &wire.content)
                        return (content, wire.reference("quoted"))
                    }
                }
                tweets.reserveCapacity(contents.count)
                for (content, quoted) in contents where tweets[Key(content.id)] == nil {
                    Self.add(content, content.id, to: &tweets)
                    quotedIDs[content.id] = quoted
                }
            }
        }

        /// Sets `tweet`, which is new, with the tweets that it quotes and retweets; false, with the failures recorded,
        /// without a date.
        mutating func convert(_ wire: inout WireTweet, to tweet: inout Tweet, _ reader: inout RecordReader) -> Bool {
            guard completeContent(of: &wire, &reader) else { return false }
            swap(&tweet.content, &wire.content)
            if let retweeted = Self.take(wire.reference("retweeted"), &tweets, &budget, &reader) {
                let quote = quote(quotedIDs[retweeted.id], &reader)
                let retweeted = Indirect(RetweetedTweet(retweeted, quotedStatus: quote))
                tweet.retweetedStatus = retweeted
                tweet.content.takeText(of: retweeted)
            }
            tweet.quotedStatus = quote(wire.reference("quoted"), &reader)
            return true
        }

        private mutating func quote(_ id: String?, _ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
            Self.take(id, &tweets, &budget, &reader).map { Indirect(QuotedTweet($0)) }
        }

        /// Completes the content in its place in `wire`.
        private mutating func completeContent(of wire: inout WireTweet, _ reader: inout RecordReader) -> Bool {
            // An answer has the date only if it was requested; the id contains it.
            guard let date = wire.createdAt?.time ?? wire.id.snowflakeTime else {
                return reader.demand(nil, "created_at") ?? false
            }
            if wire.createdAt == nil { reader.at("created_at") { $0.note(.defaulted, .missing) } }
            wire.content.id = wire.id.text
            wire.content.createdAt = date
            setText(of: &wire, &reader)
            wire.content.source = wire.source?.source
            wire.content.inReplyToStatusId = wire.reference("replied_to")
            wire.content.inReplyToScreenName = wire.content.inReplyToUserId.flatMap { users[Key($0)]?.value.screenName }
            wire.content.user = Self.take(wire.author, &users, &budget, &reader)
            wire.content.coordinates = wire.geo?.point.flatMap { point in
                reader.at("geo") { point.model(latitudeAt: 1, &$0) }
            }
            wire.content.place = Self.take(wire.geo?.place, &places, &budget, &reader)
            wire.content.quotedStatusId = wire.reference("quoted")
            wire.content.isQuoteStatus = wire.content.quotedStatusId == nil ? nil : true
            wire.content.retweetCount = wire.metrics?.retweets
            wire.content.favoriteCount = wire.metrics?.likes
            wire.content.replyCount = wire.metrics?.replies
            wire.content.quoteCount = wire.metrics?.quotes
            wire.content.bookmarkCount = wire.metrics?.bookmarks
            wire.content.impressionCount = wire.metrics?.impressions
            let poll = wire.attachments?.polls?.first { polls[Key($0)] != nil }
            wire.content.poll = Self.take(poll, &polls, &budget, &reader)
            wire.content.withheldInCountries = wire.withheld?.countries
            wire.content.withheldScope = wire.withheld?.scope.map { $0 == "post" ? "tweet" : $0 }
            return true
        }

        private mutating func setText(of wire: inout WireTweet, _ reader: inout RecordReader) {
            var locator = EntityLocator(wire.note?.text ?? wire.text, indexKey: "start")
            wire.content.fullText = locator.text
            // The range is one of `text`, which of a note is cut.
            if wire.note == nil, let range = wire.displayTextRange {
                wire.content.displayTextRange = reader.at("display_text_range") { locator.range(range, &$0) }
            }
            let sent = wire.note == nil ? wire.entities : wire.note?.entities
            func entities(_ reader: inout RecordReader) -> Entities? {
                sent.map { sent in reader.at("entities") { sent.model(&locator, &$0) } }
            }
            wire.content.entities = wire.note == nil ? entities(&reader) : reader.at("note_tweet") { entities(&$0) }
            for (index, mention) in (wire.content.entities?.userMentions ?? []).enumerated() {
                wire.content.entities?.userMentions?[index].name = mention.id.flatMap { users[Key($0)]?.value.name }
            }
            wire.content.media = wire.attachments?.media.map { keys in
                let keyedLinks = zip(sent?.urls ?? [], wire.content.entities?.urls ?? []).compactMap { sent, link in
                    sent.mediaKey.map { ($0, link) }
                }
                let links = Dictionary(keyedLinks, uniquingKeysWith: { first, _ in first })
                return keys.compactMap { key in
                    guard var media = Self.take(key, &self.media, &budget, &reader) else { return nil }
                    media.expandedUrl = links[key]?.expandedUrl
                    media.displayUrl = links[key]?.displayUrl
                    media.indices = links[key]?.indices
                    return media
                }
            }
        }

        /// Returns the included object with this id; nil if there is none or, reported, if the budget is spent.
        private static func take<Value>(
            _ id: String?, _ included: inout [Key: Included<Value>], _ budget: inout Int,
            _ reader: inout RecordReader
        ) -> Value? {
            guard let id, let index = included.index(forKey: Key(id)) else { return nil }
            // Inserted once, an object takes no more room than in the document.
            if included.values[index].isInserted {
                let length = included.values[index].length ?? length(of: included.values[index].value)
                included.values[index].length = length
                guard length <= budget else {
                    reader.note(.dropped, .tooMany)
                    return nil
                }
                budget -= length
            }
            included.values[index].isInserted = true
            return included.values[index].value
        }

        private static func length(of value: some Record) -> Int {
            var writer = JSONWriter()
            value.write(to: &writer, style: WritingStyle())
            return writer.bytes.count
        }

        private static func add<Value>(_ value: Value, _ id: String, to included: inout [Key: Included<Value>]) {
            let key = Key(id)
            if included[key] == nil { included[key] = Included(value: value) }
        }
    }
}
