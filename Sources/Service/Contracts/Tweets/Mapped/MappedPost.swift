import API
import JSONText
package import Records

/// A post in the words of a mapping: the contract's fields, `html` in place of `fullText`, and posts inside of posts.
package struct MappedPost: Record {
    private var content = TweetContent()
    private var id: WireID?, createdAt: WireDate?, fullText: String?, html: String?, displayTextRange: WireIndices?
    private var user: MappedUser?, repliedStatus: WireID?, repliedUser: WireID?, quotedID: WireID?
    private var entities: MappedEntities?, media: [MappedMedia]?
    private var quotedStatus: Indirect<MappedPost>?, retweetedStatus: Indirect<MappedPost>?

    /// A post without content.
    package init() {}

    /// The names and the values that mappings may give.
    package static let schema = Schema<MappedPost>(.absent(-1)) {
        Included(
            \.content,
            replacing: [
                Field("id", \.id), Field("createdAt", \.createdAt), Field("fullText", \.fullText),
                Field("displayTextRange", \.displayTextRange), Field("user", \.user),
                Field("inReplyToStatusId", \.repliedStatus), Field("inReplyToUserId", \.repliedUser),
                Field("quotedStatusId", \.quotedID), Field("entities", \.entities),
                Field("media", \.media, .entityLimit), Field("url", \.content.url, .address),
            ])
        Field(\.html, .note("The text as HTML, in place of fullText; its links are entities."))
        Field(\.quotedStatus, .note("The quoted post."))
        Field(\.retweetedStatus, .note("The reposted post, which also supplies the text, entities, media and poll."))
    }

    /// A post.
    package static var expectation: String { "a post" }

    /// Reads a post into `model`, which is new; returns false, with the failures recorded, if a required field is missing.
    static func read(
        _ node: JSONNode, into model: inout Tweet, _ rules: MappedTweetRules, _ reader: inout RecordReader
    ) -> Bool {
        var post = MappedPost()
        guard reader.fill(&post, from: node) else { return false }
        return post.convert(to: &model, rules, &reader) || reader.fail(.invalid) ?? false
    }

    private mutating func convert(
        to model: inout Tweet, _ rules: MappedTweetRules, _ reader: inout RecordReader
    ) -> Bool {
        let repost = retweetedStatus.take()
        let retweeted = repost.flatMap { post in
            reader.at("retweetedStatus") { reader in post.change { $0.retweeted(rules, &reader) } }
        }
        // Without its original, a repost would become the reposter's own words.
        if repost != nil, retweeted == nil { return false }
        let quoted = quoted(rules, &reader)
        guard completeContent(hasOwnText: retweeted == nil, rules, &reader) else { return false }
        swap(&model.content, &content)
        if let retweeted { model.content.takeText(of: retweeted) }
        (model.quotedStatus, model.retweetedStatus) = (quoted, retweeted)
        return true
    }

    private mutating func retweeted(
        _ rules: MappedTweetRules, _ reader: inout RecordReader
    ) -> Indirect<RetweetedTweet>? {
        let quoted = quoted(rules, &reader)
        guard completeContent(hasOwnText: true, rules, &reader) else { return nil }
        return Indirect { tweet in
            swap(&tweet.content, &content)
            tweet.quotedStatus = quoted
        }
    }

    /// Returns the quoted post; nil, and reported, if it lacks a required field.
    private func quoted(_ rules: MappedTweetRules, _ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
        quotedStatus.flatMap { post in
            reader.part("quotedStatus") { reader in
                post.change { post in
                    guard post.completeContent(hasOwnText: true, rules, &reader) else { return nil }
                    return Indirect { swap(&$0.content, &post.content) }
                }
            }
        }
    }

    /// Converts the fields that the contract has in another form; false, with the failures recorded, without an id, a date
    /// or a needed text.
    private mutating func completeContent(
        hasOwnText: Bool, _ rules: MappedTweetRules, _ reader: inout RecordReader
    ) -> Bool {
        let id = reader.demand(id, "id")
        let date = reader.demand(createdAt, "createdAt")
        let text = hasOwnText ? reader.demand(html ?? fullText, "fullText") : ""
        guard let id, let date, let text else { return false }
        (content.id, content.createdAt) = (id.text, date.time)
        if hasOwnText { setText(text, rules, &reader) }
        content.user = user.flatMap { user in reader.part("user") { user.model(&$0) } }
        content.inReplyToStatusId = repliedStatus?.text
        content.inReplyToUserId = repliedUser?.text
        if content.inReplyToScreenName == nil, let id = content.inReplyToUserId {
            content.inReplyToScreenName = content.entities?.userMentions?.first { $0.id == id }?.screenName
        }
        if let area = content.place?.boundingBox { content.place?.boundingBox = area.cleaned }
        content.quotedStatusId = quotedID?.text ?? quotedStatus?.value.id?.text
        if content.quotedStatusId != nil { content.isQuoteStatus = content.isQuoteStatus ?? true }
        return true
    }

    /// Sets the text, its entities, and what is attached to it.
    private mutating func setText(_ text: String, _ rules: MappedTweetRules, _ reader: inout RecordReader) {
        let plain = html.map { PlainText(html: $0) }
        var locator = EntityLocator(plain?.text ?? text, counting: rules.indices)
        content.fullText = locator.text
        if let plain {
            content.entities = plain.entities(entities)
        } else if let entities {
            content.entities = reader.at("entities") { locator.entities(entities, &$0) }
        }
        // Nothing counts the text that HTML becomes.
        if let displayTextRange, plain == nil {
            content.displayTextRange = reader.at("displayTextRange") { locator.range(displayTextRange.range, &$0) }
        }
        content.media = media.map { media in
            reader.at("media") { $0.mapElements(media) { $0.model(&locator, hasIndices: plain == nil, &$1) } }
        }
        for index in content.poll?.options?.indices ?? 0..<0 {
            let position = content.poll?.options?[index].position ?? index + 1
            content.poll?.options?[index].position = position
        }
    }
}
