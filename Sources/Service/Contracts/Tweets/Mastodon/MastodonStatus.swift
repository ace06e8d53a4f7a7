import API
import JSONText
import Records

extension Mastodon {
    struct WireStatus: WireRecord {
        var content = TweetContent()
        var id: WireID?, createdAt: WireDate?, html: WireHTML? = .absent, plainText: String?
        var repliedStatus: WireID?, repliedAccount: WireID?, uri: String?
        var reblog: Indirect<WireStatus>?, quote: WireQuote?, quoteID: WireID?
        var application: Application?, place: WirePlace?
        /// The fields that Pleroma and Akkoma add: the text without HTML, which is read if there is no `content`, and others.
        var ownText: String?, repliedName: String?, ownQuote: WireQuote?, ownQuoteID: WireID?, ownQuoteCount: Int?
        var media: [WireFile]?, mentions: [WireMention]?, tags: [WireTag]?, poll: WirePoll?

        static let schema = Schema<WireStatus> {
            Field("id", \.id)
            Field("created_at", \.createdAt)
            Field("content", \.html)
            Field("content_text", \.plainText)
            Field("in_reply_to_id", \.repliedStatus, .absent(0), .absent("0"))
            Field("in_reply_to_account_id", \.repliedAccount, .absent(0), .absent("0"))
            Field("sensitive", \.content.possiblySensitive)
            Field("spoiler_text", \.content.spoilerText)
            Field("visibility", \.content.visibility)
            Field("language", \.content.lang)
            Field("uri", \.uri, .address)
            Field("url", \.content.url, .address)
            Field("replies_count", \.content.replyCount, .or("reply_count"), .absent(-1))
            Field("reblogs_count", \.content.retweetCount, .absent(-1))
            Field("favourites_count", \.content.favoriteCount, .absent(-1))
            Field("quotes_count", \.content.quoteCount, .absent(-1))
            Field("favourited", \.content.favorited)
            Field("reblogged", \.content.retweeted)
            Field("reblog", \.reblog)
            Field("quote", \.quote)
            Field("quote_id", \.quoteID)
            Field("pleroma.content.text/plain", \.ownText)
            Field("pleroma.in_reply_to_account_acct", \.repliedName)
            Field("pleroma.quote", \.ownQuote)
            Field("pleroma.quote_id", \.ownQuoteID)
            Field("pleroma.quotes_count", \.ownQuoteCount, .absent(-1))
            Ignored(
                "bookmark_folder", "content.text/html", "context", "conversation_id", "direct_conversation_id",
                "emoji_reactions", "event", "expires_at", "language", "list_id", "local", "parent_visible", "pinned_at",
                "quote_url", "quote_visible", "spoiler_text", "thread_muted", in: "pleroma")
            Field("application", \.application)
            Field("account", \.content.user, from: WireAccount.self)
            Field("place", \.place)
            Field("media_attachments", \.media, .dropInvalid, .entityLimit)
            Field("mentions", \.mentions, .dropInvalid, .entityLimit)
            Field("tags", \.tags, .dropInvalid, .entityLimit)
            Field("poll", \.poll)
            Ignored(
                "_v", "akkoma", "bookmarked", "card", "comments_disabled", "edited_at", "emoji_reactions", "emojis",
                "filtered", "label", "liked_by", "local", "muted", "parent", "pf_type", "pinned", "quote_approval",
                "reactions", "replies", "shortcode", "taggedPeople", "tagged_collections", "text", "thread")
        }

        static var expectation: String { "a status" }

        mutating func convert(to model: inout Tweet, _ reader: inout RecordReader) -> Bool {
            let boost = reblog.take()
            let retweeted = boost.flatMap { boost in
                reader.at("reblog") { reader in boost.change { $0.retweetedTweet(&reader) } }
            }
            // Without its original, a boost would become the booster's own words.
            if boost != nil, retweeted == nil { return false }
            // A reblog has the text of the reblogged status, and needs none of its own.
            let quoted = quotedTweet(&reader)
            guard completeContent(hasOwnText: retweeted == nil, hasQuote: quoted != nil, &reader) else { return false }
            swap(&model.content, &content)
            if let retweeted { model.content.takeText(of: retweeted) }
            model.quotedStatus = quoted
            model.retweetedStatus = retweeted
            return true
        }

        private mutating func retweetedTweet(_ reader: inout RecordReader) -> Indirect<RetweetedTweet>? {
            let quoted = quotedTweet(&reader)
            guard completeContent(hasOwnText: true, hasQuote: quoted != nil, &reader) else { return nil }
            return Indirect { tweet in
                swap(&tweet.content, &content)
                tweet.quotedStatus = quoted
            }
        }

        private func quotedTweet(_ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
            if let quote { return quote.model(&reader) }
            guard let ownQuote else { return nil }
            return reader.at("pleroma") { ownQuote.model(&$0) }
        }

        /// Converts the fields that the contract has in another form; false, with the failures recorded, without an id,
        /// a date or a needed text.
        ///
        /// If the answer has the quoted status, the text does not repeat its link, which is for readers that do not show it.
        fileprivate mutating func completeContent(
            hasOwnText: Bool, hasQuote: Bool, _ reader: inout RecordReader
        ) -> Bool {
            let id = reader.demand(id, "id")
            let date = reader.demand(createdAt, "created_at")
            let html = hasOwnText ? reader.demand(ownHTML, "content") : ""
            guard let id, let date, let html else { return false }
            content.id = id.text
            content.createdAt = date.time
            if hasOwnText {
                let plain = PlainText(html: html, removing: hasQuote ? "quote-inline" : nil)
                content.fullText = plain.text
                content.entities = Mastodon.entities(mentions, tags, in: plain)
                content.media = media.map { media in
                    reader.at("media_attachments") { $0.mapElements(media) { $0.model(&$1) } }
                }
                content.poll = poll?.model
                for index in content.poll?.options?.indices ?? 0..<0 {
                    content.poll?.options?[index].position = index + 1
                }
            }
            content.source = application?.source
            content.inReplyToStatusId = repliedStatus?.text
            content.inReplyToUserId = repliedAccount?.text
            content.inReplyToScreenName = mentionedName ?? repliedName
            content.place = place?.model
            content.quotedStatusId = quotedID
            content.isQuoteStatus = content.quotedStatusId == nil ? nil : true
            content.quoteCount = content.quoteCount ?? ownQuoteCount
            content.url = content.url ?? uri
            return true
        }

        /// The name of the account that the status answers, if it is mentioned.
        private var mentionedName: String? {
            guard let id = repliedAccount?.text else { return nil }
            return mentions?.first { $0.id?.text == id }?.address
        }

        private var quotedID: String? {
            let named = (quoteID ?? ownQuoteID)?.text
            return switch quote ?? ownQuote {
            case .status(let status): status.value.id?.text ?? named
            case .reference(let id): id.text
            case nil: named
            }
        }

        /// The text as HTML; nil if there is none.
        private var ownHTML: String? {
            switch html {
            case .html(let html): html
            case .absent: escapedText
            // Pixelfed sends null for a picture without a caption.
            case nil: escapedText ?? ""
            }
        }

        /// The text of a status without HTML, as HTML.
        private var escapedText: String? {
            (ownText ?? plainText).map { text in
                [("&", "&amp;"), ("<", "&lt;"), ("\n", "<br>")].reduce(text) { $0.replacing($1.0, with: $1.1) }
            }
        }
    }

    /// The member `content`, which is nil if it is null.
    enum WireHTML: WireValue {
        /// There is no such member, or its value is of another type.
        case absent
        case html(String)

        static func readPlain(_ node: JSONNode, _ rules: FieldRules) -> WireHTML? {
            String.readPlain(node, rules).map(WireHTML.html)
        }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WireHTML? {
            reader.read(node) { String.read($0, rules, &$1) }.map(WireHTML.html) ?? .absent
        }
    }

    /// A quoted status: `{"state","quoted_status"}`, a reference by `quoted_status_id`, or Akkoma's plain status.
    enum WireQuote: WireValue {
        case status(Indirect<WireStatus>)
        case reference(WireID)

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> WireQuote? {
            if node["content"] != nil { return Indirect<WireStatus>.read(node, rules, &reader).map(WireQuote.status) }
            guard let envelope = Envelope.read(node, rules, &reader) else { return nil }
            guard let status = envelope.status else {
                // A deleted or hidden status has neither.
                return envelope.statusID.map(WireQuote.reference) ?? reader.fail(.refused)
            }
            // Other states mean that the status should not be shown, even if it is there.
            guard let state = node["state"]?.string, state != "accepted" else { return .status(status) }
            reader.at("quoted_status") { $0.note(.dropped, .refused) }
            return (status.value.id ?? envelope.statusID).map(WireQuote.reference) ?? reader.fail(.refused)
        }

        fileprivate func model(_ reader: inout RecordReader) -> Indirect<QuotedTweet>? {
            guard case .status(let status) = self else { return nil }
            return reader.part("quote") { reader in
                status.change { status in
                    guard status.completeContent(hasOwnText: true, hasQuote: false, &reader) else { return nil }
                    return Indirect { swap(&$0.content, &status.content) }
                }
            }
        }

        private struct Envelope: Record {
            var status: Indirect<WireStatus>?, statusID: WireID?

            static let schema = Schema<Envelope> {
                Field("quoted_status", \.status)
                Field("quoted_status_id", \.statusID)
                Ignored("state")
            }
        }
    }
}

extension Mastodon {
    /// An account, with keys that Twitter does not send.
    struct WireAccount: WireRecord {
        private var user = WireUser()

        static let schema = Schema<WireAccount> {
            Included(\.user)
            Ignored(
                "accepts_direct_messages_from", "akkoma", "avatar_description", "avatar_static", "discoverable",
                "emojis", "feature_approval", "fields", "follow_requests_count", "fqn", "group", "header_bg",
                "header_description", "header_static", "hide_collections", "indexable", "is_admin", "last_fetched_at",
                "last_status_at", "limited", "local", "memorial", "moved", "mute_expires_at", "noindex", "note_text",
                "pleroma", "pronouns", "role", "roles", "show_featured", "show_media", "show_media_replies", "source",
                "suspended", "uri", "website")
        }

        mutating func convert(to model: inout User, _ reader: inout RecordReader) -> Bool {
            user.convert(to: &model, &reader)
        }
    }

    struct Application: Record {
        var source = TweetSource()

        static let schema = Schema<Application> {
            Field("name", \.source.name)
            Field("website", \.source.url, .address)
            Ignored("client_id", "client_secret", "vapid_key")
        }
    }
}
