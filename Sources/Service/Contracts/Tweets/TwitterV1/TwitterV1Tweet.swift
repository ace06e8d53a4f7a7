import API
import JSONText
import Records

extension TwitterV1 {
    struct WireTweet: WireRecord {
        var content = TweetContent()
        var id: WireID?, idString: WireID?, createdAt: WireDate?
        var text: String?, body = TextBody(), extendedTweet: TextBody?
        var repliedStatus: WireID?, repliedStatusString: WireID?, repliedUser: WireID?, repliedUserString: WireID?
        var source: WireSource?
        var coordinates: WirePoint?, geo: WirePoint?, place: WirePlace?
        var quotedID: WireID?, quotedIDString: WireID?
        var quotedStatus: InnerTweet?, retweetedStatus: InnerTweet?
        var withheldInCountries: CountryCodes?

        static let schema = Schema<WireTweet> {
            Field("created_at", \.createdAt)
            Field("id", \.id)
            Field("id_str", \.idString)
            Field("text", \.text)
            Field("full_text", \.body.fullText)
            Field("extended_tweet", \.extendedTweet)
            Field("display_text_range", \.body.displayTextRange)
            Field("lang", \.content.lang)
            Field("source", \.source, .absent(""))
            Field("in_reply_to_status_id", \.repliedStatus, .absent(0), .absent("0"))
            Field("in_reply_to_status_id_str", \.repliedStatusString, .absent(0), .absent("0"))
            Field("in_reply_to_user_id", \.repliedUser, .absent(0), .absent("0"))
            Field("in_reply_to_user_id_str", \.repliedUserString, .absent(0), .absent("0"))
            Field("in_reply_to_screen_name", \.content.inReplyToScreenName)
            Field("user", \.content.user, from: WireUser.self)
            Field("coordinates", \.coordinates)
            Field("geo", \.geo)
            Field("place", \.place)
            Field("is_quote_status", \.content.isQuoteStatus)
            Field("quoted_status_id", \.quotedID)
            Field("quoted_status_id_str", \.quotedIDString)
            Field("quoted_status", \.quotedStatus)
            Field("retweeted_status", \.retweetedStatus)
            Field("retweet_count", \.content.retweetCount, .absent(-1))
            Field("favorite_count", \.content.favoriteCount, .absent(-1))
            Field("reply_count", \.content.replyCount, .absent(-1))
            Field("quote_count", \.content.quoteCount, .absent(-1))
            Field("favorited", \.content.favorited)
            Field("retweeted", \.content.retweeted)
            Field("possibly_sensitive", \.content.possiblySensitive)
            Field("filter_level", \.content.filterLevel)
            Field("entities", \.body.entities)
            Field("extended_entities", \.body.extendedEntities)
            Field("withheld_in_countries", \.withheldInCountries, .dropInvalid)
            Field("withheld_scope", \.content.withheldScope)
            Ignored(
                "annotations", "contributors", "current_user_retweet", "edit_info", "matching_rules", "metadata",
                "possibly_sensitive_appealable", "possibly_sensitive_editable", "quoted_status_permalink", "scopes",
                "supplemental_language", "timestamp_ms", "truncated", "withheld_copyright")
        }

        mutating func convert(to model: inout Tweet, _ reader: inout RecordReader) -> Bool {
            // A retweet has the text of the retweeted tweet, and needs none of its own.
            guard completeContent(hasOwnText: retweetedStatus == nil, &reader) else { return false }
            swap(&model.content, &content)
            model.quotedStatus = quotedStatus?.quoted
            model.retweetedStatus = retweetedStatus?.tweet
            if let retweeted = model.retweetedStatus { model.content.takeText(of: retweeted) }
            return true
        }

        /// Converts the fields that the contract has in another form; false, with the failures recorded, without an id,
        /// a date or a text of its own.
        fileprivate mutating func completeContent(hasOwnText: Bool, _ reader: inout RecordReader) -> Bool {
            let id = reader.demand(idString.take() ?? id, "id")
            let date = reader.demand(createdAt, "created_at")
            let text = hasOwnText ? reader.demand(extendedTweet?.fullText ?? body.fullText ?? text, "text") : ""
            guard let id, let date, let text else { return false }
            content.id = id.text
            content.createdAt = date.time
            if hasOwnText, let extendedTweet, extendedTweet.fullText != nil {
                reader.at("extended_tweet") { extendedTweet.set(text, of: &content, &$0) }
            } else if hasOwnText {
                body.set(text, of: &content, &reader)
            }
            content.source = source.take()?.source
            content.inReplyToStatusId = (repliedStatusString.take() ?? repliedStatus)?.text
            content.inReplyToUserId = (repliedUserString.take() ?? repliedUser)?.text
            // GeoJSON has the longitude first, the older `geo` the latitude.
            if let coordinates {
                content.coordinates = reader.at("coordinates") { coordinates.model(latitudeAt: 1, &$0) }
            } else if let geo {
                content.coordinates = reader.at("geo") { geo.model(latitudeAt: 0, &$0) }
            }
            content.place = place?.model
            content.quotedStatusId = (quotedIDString.take() ?? quotedID)?.text
            content.withheldInCountries = withheldInCountries?.codes
            return true
        }
    }

    /// A tweet that another one quotes or retweets; it needs a text of its own.
    struct InnerTweet: WireValue {
        let tweet: Indirect<RetweetedTweet>

        var quoted: Indirect<QuotedTweet> { Indirect(QuotedTweet(tweet.value.content)) }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> InnerTweet? {
            guard let wire = Indirect<WireTweet>.read(node, rules, &reader) else { return nil }
            return wire.change { complete(&$0, &reader) }
        }

        /// Not inlined, so that it takes no stack while the tweets inside the tweet are read.
        @inline(never)
        private static func complete(_ wire: inout WireTweet, _ reader: inout RecordReader) -> InnerTweet? {
            guard wire.completeContent(hasOwnText: true, &reader) else { return reader.fail(.invalid) }
            return InnerTweet(
                tweet: Indirect { tweet in
                    swap(&tweet.content, &wire.content)
                    tweet.quotedStatus = wire.quotedStatus?.quoted
                })
        }
    }

    /// The text of a tweet and its entities: the tweet's own in the extended form, or `extended_tweet` of a tweet of more
    /// than 140 characters in the compatible form.
    struct TextBody: Record {
        var fullText: String?, displayTextRange: CodePointRange?
        var entities: WireEntities?, extendedEntities: WireEntities?

        static let schema = Schema<TextBody> {
            Field("full_text", \.fullText)
            Field("display_text_range", \.displayTextRange)
            Field("entities", \.entities)
            Field("extended_entities", \.extendedEntities)
        }

        /// Sets the text of `content`, and the entities, media and poll that came with it.
        fileprivate func set(_ text: String, of content: inout TweetContent, _ reader: inout RecordReader) {
            var locator = EntityLocator(text)
            content.fullText = locator.text
            content.displayTextRange = displayTextRange.flatMap { range in
                reader.at("display_text_range") { locator.range(range, &$0) }
            }
            content.entities = entities.map { entities in
                reader.at("entities") { locator.entities(entities, &$0) }
            }
            let (key, media): (StaticString, _) =
                extendedEntities?.media == nil
                ? ("entities", entities?.media) : ("extended_entities", extendedEntities?.media)
            content.media = media.map { media in
                reader.at(key) { $0.at("media") { $0.mapElements(media) { $0.model(&locator, &$1) } } }
            }
            content.poll = (entities?.polls ?? extendedEntities?.polls)?.first?.model
        }
    }

    struct WireMedia: Record {
        var media = Media()
        var id: WireID?, idString: WireID?
        var type: String?, fileURL: String?, secureFileURL: String?, url: String?, indices: WireIndices?
        var variants: [WireVariant]?

        static let schema = Schema<WireMedia> {
            Field("id", \.id)
            Field("id_str", \.idString)
            Field("type", \.type)
            Field("media_url", \.fileURL, .address)
            Field("media_url_https", \.secureFileURL, .address)
            Field("url", \.url, .address)
            Field("expanded_url", \.media.expandedUrl, .address)
            Field("display_url", \.media.displayUrl, .address)
            Field("ext_alt_text", \.media.altText)
            Field("indices", \.indices)
            Field("sizes", \.media.sizes)
            Field("original_info.width", \.media.width)
            Field("original_info.height", \.media.height)
            Ignored("focus_rects", in: "original_info")
            Field("video_info.aspect_ratio", \.media.aspectRatio, .atMost(2))
            Field("video_info.duration_millis", \.media.durationMillis)
            Field("video_info.variants", \.variants, .dropInvalid)
            Ignored(
                "additional_media_info", "description", "ext", "features", "media_key", "source_status_id",
                "source_status_id_str", "source_user_id", "source_user_id_str", "title")
        }

        /// Returns the contract's media; nil, and reported, without an id.
        func model(_ locator: inout EntityLocator, _ reader: inout RecordReader) -> Media? {
            guard let id = reader.identified(idString ?? id) else { return nil }
            var media = media
            media.id = id
            media.setType(type, &reader)
            media.url = secureFileURL ?? fileURL
            media.url?.useSecureScheme()
            media.indices = locator.range(of: url, behind: [""], sentAt: indices, &reader)
            media.sizes = media.sizes?.cleaned
            media.variants = variants?.map(\.variant)
            return media
        }
    }
}
