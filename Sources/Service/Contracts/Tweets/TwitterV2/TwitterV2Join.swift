import API
import JSONText
import Records

extension TwitterV2 {
    /// Joins tweets with the objects of `includes` that they refer to.
    struct Join {
        private var users: IncludedObjects<User>
        private var tweets = IncludedObjects<TweetContent>()
        /// The id of the tweet that each of `tweets` quotes.
        private var quotedIDs: [String?] = []
        private var media: IncludedObjects<Media>
        private var places: IncludedObjects<Place>
        private var polls: IncludedObjects<Poll>
        /// The number of bytes that may still be repeated.
        private(set) var budget: Int

        /// What one document may repeat: a million tweets could refer to one long description.
        static let wholeBudget = 32 << 20

        /// Converts the included objects, once for all tweets that refer to them.
        init(_ includes: inout Includes?, budget: Int = wholeBudget, _ reader: inout RecordReader) {
            self.budget = budget
            users = IncludedObjects(includes?.users.take()?.models ?? []) { $0.id }
            let sentPlaces = includes?.places ?? [], sentPolls = includes?.polls ?? []
            places = IncludedObjects(sentPlaces.map(\.part.model), ids: sentPlaces.map(\.id))
            polls = IncludedObjects(sentPolls.map(\.part.model), ids: sentPolls.map(\.id))
            let models = reader.at("media") { reader in
                reader.mapElements(includes?.media ?? []) { $0.part.model(&$1) }
            }
            media = IncludedObjects(models) { $0.id }
            var wires = includes?.tweets.take() ?? []
            quotedIDs.reserveCapacity(wires.count)
            let contents = reader.at("tweets") { reader in
                reader.mapElements(&wires) { wire, reader in
                    reader.part { reader -> TweetContent? in
                        guard completeContent(of: &wire, &reader) else { return nil }
                        quotedIDs.append(wire.reference("quoted"))
                        var content = TweetContent()
                        swap(&content, &wire.content)
                        return content
                    }
                }
            }
            tweets = IncludedObjects(contents) { $0.id }
        }

        /// Sets `tweet`, which is new, with the tweets that it quotes and retweets; false, with the failures recorded,
        /// without a date.
        mutating func convert(_ wire: inout WireTweet, to tweet: inout Tweet, _ reader: inout RecordReader) -> Bool {
            guard completeContent(of: &wire, &reader) else { return false }
            swap(&tweet.content, &wire.content)
            if let index = tweets.take(wire.reference("retweeted"), &budget, &reader) {
                let quote = quote(quotedIDs[index], &reader)
                let retweeted = Indirect<RetweetedTweet> { retweeted in
                    retweeted.content = tweets[index]
                    retweeted.quotedStatus = quote
                }
                tweet.retweetedStatus = retweeted
                tweet.content.takeText(of: retweeted)
            }
            tweet.quotedStatus = quote(wire.reference("quoted"), &reader)
            return true
        }

        private mutating func quote(_ id: String?, _ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
            tweets.take(id, &budget, &reader).map { index in Indirect { $0.content = tweets[index] } }
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
            wire.content.inReplyToScreenName = wire.content.inReplyToUserId.flatMap { id in
                users.index(of: id).flatMap { users[$0].screenName }
            }
            wire.content.user = wire.author.map { author($0, &reader) }
            wire.content.coordinates = wire.point.flatMap { point in
                reader.at("geo") { point.model(latitudeAt: 1, &$0) }
            }
            wire.content.place = places.take(wire.place, &budget, &reader).map { places[$0] }
            wire.content.quotedStatusId = wire.reference("quoted")
            wire.content.isQuoteStatus = wire.content.quotedStatusId == nil ? nil : true
            let poll = wire.polls?.first { polls.index(of: $0) != nil }
            wire.content.poll = polls.take(poll, &budget, &reader).map { polls[$0] }
            if wire.content.withheldScope == "post" { wire.content.withheldScope = "tweet" }
            return true
        }

        /// Returns the user with this id; one with the id alone, and reported, if the answer does not have the user.
        private mutating func author(_ id: String, _ reader: inout RecordReader) -> User {
            if let index = users.take(id, &budget, &reader) { return users[index] }
            if users.index(of: id) == nil { reader.at("author_id") { $0.note(.defaulted, .missing) } }
            var user = User()
            user.id = id
            return user
        }

        private mutating func setText(of wire: inout WireTweet, _ reader: inout RecordReader) {
            var locator = EntityLocator(wire.note?.text ?? wire.text, ofVersion2: true)
            wire.content.fullText = locator.text
            // The range is one of `text`, which of a note is cut.
            if wire.note == nil, let range = wire.displayTextRange {
                wire.content.displayTextRange = reader.at("display_text_range") { locator.range(range, &$0) }
            }
            let sent = wire.note == nil ? wire.entities : wire.note?.entities
            func entities(_ reader: inout RecordReader) -> Entities? {
                sent.map { sent in reader.at("entities") { locator.entities(sent, &$0) } }
            }
            wire.content.entities = wire.note == nil ? entities(&reader) : reader.at("note_tweet") { entities(&$0) }
            setNames(of: &wire.content.entities)
            wire.content.media = wire.media.map { keys in
                let sentLinks = (sent?.urls ?? []).filter(\.entity.hasAddress)
                let keyedLinks = zip(sentLinks, wire.content.entities?.urls ?? []).compactMap { sent, link in
                    sent.mediaKey.map { ($0, link) }
                }
                let links = Dictionary(keyedLinks, uniquingKeysWith: { first, _ in first })
                return keys.compactMap { key in
                    guard let index = self.media.take(key, &budget, &reader) else { return nil }
                    var media = self.media[index]
                    media.expandedUrl = links[key]?.expandedUrl
                    media.displayUrl = links[key]?.displayUrl
                    media.indices = links[key]?.indices
                    return media
                }
            }
        }

        /// Sets the display names of the mentioned users that are included.
        private func setNames(of entities: inout Entities?) {
            // Taken out, the array is changed in its place.
            guard var mentions = entities?.userMentions.take() else { return }
            for position in mentions.indices {
                guard let id = mentions[position].id, let index = users.index(of: id) else { continue }
                mentions[position].name = users[index].name
            }
            entities?.userMentions = mentions
        }
    }

    /// Objects of one kind to which tweets refer by their ids; of several with one id, the first one counts.
    struct IncludedObjects<Value: Record> {
        private let values: [Value]
        /// The indices of `values` by id.
        private let indices: [String: Int]
        private var isInserted: [Bool]
        /// The lengths of values in the answer, of those that are inserted again.
        private var lengths: [Int: Int] = [:]

        init(_ values: [Value] = [], id: (Value) -> String = { _ in "" }) { self.init(values, ids: values.map(id)) }

        init(_ values: [Value], ids: [String]) {
            self.values = values
            isInserted = [Bool](repeating: false, count: values.count)
            indices = Dictionary(zip(ids, 0...), uniquingKeysWith: { first, _ in first })
        }

        subscript(index: Int) -> Value { _read { yield values[index] } }

        /// Returns the index of the object with this id, or nil.
        func index(of id: String) -> Int? { indices[id] }

        /// Returns the index of the object with this id, for inserting it; nil if there is none or, reported, if the budget
        /// of bytes to repeat is spent.
        mutating func take(_ id: String?, _ budget: inout Int, _ reader: inout RecordReader) -> Int? {
            guard let id, let index = index(of: id) else { return nil }
            // Inserted once, an object takes no more room than in the document.
            if isInserted[index] {
                let length = lengths[index] ?? length(at: index)
                lengths[index] = length
                guard length <= budget else {
                    reader.note(.dropped, .tooMany)
                    return nil
                }
                budget -= length
            }
            isInserted[index] = true
            return index
        }

        private func length(at index: Int) -> Int {
            var writer = JSONWriter()
            values[index].write(to: &writer, style: WritingStyle())
            return writer.count
        }
    }
}
