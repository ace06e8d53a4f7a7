import LenientCoding

extension Mastodon.Status {
    /// The contract's tweet, with the tweets in it; nil, and a failure of its own, where it has no id, date or text.
    func tweet(_ reader: inout RecordReader) -> Tweet? {
        let retweet: RetweetedTweet? = reblog.flatMap { status in
            reader.part("reblog") { status.value.retweetedTweet(&$0) }
        }
        guard var content = content(ofText: retweet == nil, &reader) else { return nil }
        if let retweet {
            content.fullText = retweet.content.fullText
            content.entities = retweet.content.entities
            content.media = retweet.content.media
            content.poll = retweet.content.poll
        }
        var tweet = Tweet()
        tweet.content = content
        tweet.quotedStatus = quotedTweet(&reader)
        tweet.retweetedStatus = retweet.map { Indirect($0) }
        return tweet
    }

    private func retweetedTweet(_ reader: inout RecordReader) -> RetweetedTweet? {
        guard let content = content(ofText: true, &reader) else { return nil }
        var tweet = RetweetedTweet()
        tweet.content = content
        tweet.quotedStatus = quotedTweet(&reader)
        return tweet
    }

    private func quotedTweet(_ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
        func tweet(_ quote: Mastodon.Quote?, _ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
            guard case .status(let status) = quote else { return nil }
            return reader.part("quote") { reader in
                status.content(ofText: true, &reader).map { content in
                    var quote = QuotedTweet()
                    quote.content = content
                    return Indirect(quote)
                }
            }
        }
        if quote != nil { return tweet(quote, &reader) }
        return reader.at("pleroma") { tweet(pleroma?.quote, &$0) }
    }

    private func content(ofText hasText: Bool, _ reader: inout RecordReader) -> TweetContent? {
        var content = TweetContent()
        let id = reader.demand(self.id?.text, "id")
        let date = reader.demand(createdAt?.moment, "created_at")
        let html = hasText ? reader.demand(self.content ?? escapedText, "content") : ""
        guard let id, let date, let html else { return nil }
        content.id = id
        content.createdAt = date
        if hasText { putText(html, into: &content, &reader) }
        content.lang = language
        content.source = application.map { program in
            var source = TweetSource()
            source.name = program.name
            source.url = program.website
            return source
        }
        content.inReplyToStatusId = repliedStatus?.text
        content.inReplyToUserId = repliedAccount?.text
        content.inReplyToScreenName =
            mentions?.first { $0.id != nil && $0.id == repliedAccount }?.address
            ?? pleroma?.repliedName
        content.user = account.flatMap { account in reader.part("account") { account.user(&$0) } }
        content.place = place.map { $0.place }
        content.quotedStatusId = quotedID
        content.isQuoteStatus = content.quotedStatusId == nil ? nil : true
        content.retweetCount = reblogsCount
        content.favoriteCount = favouritesCount
        content.replyCount = repliesCount
        content.quoteCount = quotesCount ?? pleroma?.quotesCount
        content.favorited = favourited
        content.retweeted = reblogged
        content.possiblySensitive = sensitive
        content.visibility = visibility
        content.spoilerText = spoilerText
        content.url = url ?? uri
        return content
    }

    private var quotedID: String? {
        let named = quoteID?.text ?? pleroma?.quoteID?.text
        return switch quote ?? pleroma?.quote {
        case .status(let status): status.id?.text ?? named
        case .named(let id): id.text
        case nil: named
        }
    }

    /// The text that came as no HTML, as HTML.
    private var escapedText: String? {
        (pleroma?.content?.text ?? contentText).map { text in
            [("&", "&amp;"), ("<", "&lt;"), ("\n", "<br>")].reduce(text) { $0.replacing($1.0, with: $1.1) }
        }
    }

    private func putText(_ html: String, into content: inout TweetContent, _ reader: inout RecordReader) {
        let plain = PlainText(html: html)
        content.fullText = plain.text
        content.entities = entities(plain)
        content.media = attachments.map { attachments in
            reader.at("media_attachments") { $0.mapElements(attachments) { $0.media(&$1) } }
        }
        content.poll = poll?.poll
    }

    /// Mentions and hashtags by the links that they are in the text, or else by their words; what other links there are.
    ///
    /// Nil where the upstream sent none and the text has none.
    private func entities(_ plain: PlainText) -> Entities? {
        var words = LinkedWords(plain)
        var entities = Entities()
        entities.userMentions = mentions.map {
            $0.map { mention in
                var user = UserMention()
                user.id = mention.id?.text
                user.screenName = mention.address ?? mention.name
                user.indices = words.place(
                    mention.url, [mention.address, mention.name].compactMap { $0.map { "@" + $0 } })
                return user
            }
        }
        entities.hashtags = tags.map {
            $0.map { tag in
                var hashtag = Hashtag()
                hashtag.text = tag.name
                hashtag.indices = words.place(tag.url, ["#" + tag.name])
                return hashtag
            }
        }
        let links = words.rest.map { anchor in
            var link = Link()
            link.url = anchor.text
            link.expandedUrl = anchor.target
            link.displayUrl = anchor.shown
            link.indices = anchor.range
            return link
        }
        if links.isEmpty, entities.userMentions == nil, entities.hashtags == nil { return nil }
        entities.urls = links.isEmpty ? nil : links
        return entities
    }
}

extension Mastodon.Locality {
    fileprivate var place: Place {
        var place = Place()
        place.id = id?.text
        place.name = name
        place.country = country
        return place
    }
}
