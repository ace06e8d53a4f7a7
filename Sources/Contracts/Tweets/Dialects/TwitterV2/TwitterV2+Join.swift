import LenientCoding

extension TwitterV2 {
    /// Puts into tweets what they name, from what came beside them.
    struct Join {
        private let users: [String: Profile]
        private let tweets: [String: Status]
        private let media: [String: Attachment]
        private let places: [String: Locality]
        private let polls: [String: Question]

        init(_ includes: Includes?) {
            func index<Value>(_ values: [Value]?, by key: (Value) -> String) -> [String: Value] {
                Dictionary((values ?? []).map { (key($0), $0) }, uniquingKeysWith: { first, _ in first })
            }
            users = index(includes?.users, by: \.id)
            tweets = index(includes?.tweets, by: \.id)
            media = index(includes?.media, by: \.key)
            places = index(includes?.places, by: \.id)
            polls = index(includes?.polls, by: \.id)
        }

        /// The contract's tweet, with the tweets in it.
        func tweet(_ status: Status, _ reader: inout RecordReader) -> Tweet? {
            guard var content = content(status, &reader) else { return nil }
            var tweet = Tweet()
            if let passedOn = included(status, "retweeted"), let inner = self.content(passedOn, &reader) {
                var retweet = RetweetedTweet()
                retweet.content = inner
                retweet.quotedStatus = quote(passedOn, &reader)
                tweet.retweetedStatus = Indirect(retweet)
                content.fullText = inner.fullText
                content.entities = inner.entities
                content.media = inner.media
                content.poll = inner.poll
            }
            tweet.content = content
            tweet.quotedStatus = quote(status, &reader)
            return tweet
        }

        private func quote(_ status: Status, _ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
            included(status, "quoted").flatMap { content($0, &reader) }.map { content in
                var quote = QuotedTweet()
                quote.content = content
                return Indirect(quote)
            }
        }

        private func included(_ status: Status, _ type: String) -> Status? {
            status.reference(type).flatMap { tweets[$0] }
        }

        private func content(_ status: Status, _ reader: inout RecordReader) -> TweetContent? {
            var content = TweetContent()
            content.id = status.id
            // Who does not ask for the date does not get it; the id tells it.
            guard let date = status.createdAt?.moment ?? Snowflake.date(of: status.id) else {
                return reader.demand(nil, "created_at")
            }
            content.createdAt = date
            if status.createdAt == nil { reader.at("created_at") { $0.note(.defaulted, .missing) } }
            putText(of: status, into: &content, &reader)
            content.lang = status.lang
            content.source = status.source.map { TweetSource(anchor: $0) }
            content.inReplyToStatusId = status.reference("replied_to")
            content.inReplyToUserId = status.repliedUser
            content.inReplyToScreenName = status.repliedUser.flatMap { users[$0]?.username }
            content.user = status.author.flatMap { users[$0]?.user }
            content.coordinates = status.geo?.point.flatMap { point in
                point.coordinates.count == 2
                    ? reader.at("geo") { Coordinates(point.coordinates[1], point.coordinates[0], &$0) } : nil
            }
            content.place = status.geo?.place.flatMap { places[$0]?.place }
            content.quotedStatusId = status.reference("quoted")
            content.isQuoteStatus = content.quotedStatusId == nil ? nil : true
            content.retweetCount = status.metrics?.retweets
            content.favoriteCount = status.metrics?.likes
            content.replyCount = status.metrics?.replies
            content.quoteCount = status.metrics?.quotes
            content.possiblySensitive = status.possiblySensitive
            content.poll = status.attachments?.polls?.lazy.compactMap { polls[$0]?.poll }.first
            content.withheldInCountries = status.withheld?.countries
            content.withheldScope = status.withheld?.scope
            return content
        }

        private func putText(of status: Status, into content: inout TweetContent, _ reader: inout RecordReader) {
            var placing = EntityPlacing(status.note?.text ?? status.text)
            content.fullText = placing.text
            let sent = status.note == nil ? status.entities : status.note?.entities
            func put(_ reader: inout RecordReader) {
                content.entities = sent.map { sent in
                    reader.at("entities") { entities(sent, &placing, &$0) }
                }
            }
            if status.note == nil { put(&reader) } else { reader.at("note_tweet") { put(&$0) } }
            let links = content.entities?.urls ?? []
            content.media = status.attachments?.media.map { keys in
                keys.compactMap { key in
                    media[key]?.media(link: sent?.urls?.firstIndex { $0.mediaKey == key }.map { links[$0] })
                }
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
                reader.at("mentions") { mentions.mentions(&placing, &$0) { users[$0] } }
            }
            return entities
        }
    }
}

extension TwitterV2.Status {
    /// The id of the tweet that this one speaks of in that way.
    fileprivate func reference(_ type: String) -> String? { references?.first { $0.type == type }?.id }
}
