import JSONText
import LenientCoding

/// Mastodon as it is sent, and what Pleroma, Akkoma and Pixelfed make of it.
enum Mastodon {
    /// A status.
    struct Status: Record {
        var id: TweetID?, createdAt: SentMoment?, content: String?, contentText: String?
        var repliedStatus: TweetID?, repliedAccount: TweetID?
        var sensitive: Bool?, spoilerText: String?, visibility: String?, language: String?
        var uri: String?, url: String?
        var repliesCount: Int?, reblogsCount: Int?, favouritesCount: Int?, quotesCount: Int?
        var favourited: Bool?, reblogged: Bool?
        var reblog: Indirect<Status>?, quote: Quote?, quoteID: TweetID?
        var pleroma: Extension?, application: Program?, account: Account?, place: Locality?
        var attachments: [Attachment]?, mentions: [Mention]?, tags: [Tag]?, poll: Question?

        private static let most = 500

        static let schema = Schema<Status> {
            Field("id", \.id)
            Field("created_at", \.createdAt)
            Field("content", \.content)
            Field("content_text", \.contentText)
            Field("in_reply_to_id", \.repliedStatus)
            Field("in_reply_to_account_id", \.repliedAccount)
            Field("sensitive", \.sensitive)
            Field("spoiler_text", \.spoilerText)
            Field("visibility", \.visibility)
            Field("language", \.language)
            Field("uri", \.uri)
            Field("url", \.url)
            Field("replies_count", \.repliesCount, .or("reply_count"), .absent(-1))
            Field("reblogs_count", \.reblogsCount, .absent(-1))
            Field("favourites_count", \.favouritesCount, .absent(-1))
            Field("quotes_count", \.quotesCount, .absent(-1))
            Field("favourited", \.favourited)
            Field("reblogged", \.reblogged)
            Field("reblog", \.reblog)
            Field("quote", \.quote)
            Field("quote_id", \.quoteID)
            Field("pleroma", \.pleroma)
            Field("application", \.application)
            Field("account", \.account)
            Field("place", \.place)
            Field("media_attachments", \.attachments, .dropInvalid, .atMost(most))
            Field("mentions", \.mentions, .dropInvalid, .atMost(most))
            Field("tags", \.tags, .dropInvalid, .atMost(most))
            Field("poll", \.poll)
            Ignored(
                "_v", "akkoma", "bookmarked", "card", "comments_disabled", "edited_at", "emoji_reactions", "emojis",
                "filtered", "label", "liked_by", "local", "muted", "parent", "pf_type", "pinned", "quote_approval",
                "reactions", "replies", "shortcode", "taggedPeople", "text", "thread")
        }
    }

    /// A quoted status: `{"state","quoted_status"}`, named by `quoted_status_id`, or from Akkoma as it is.
    indirect enum Quote: FieldValue {
        case status(Status)
        case named(TweetID)

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> Quote? {
            if node["content"] != nil { return Status.read(node, rules, &reader).map(Quote.status) }
            guard let envelope = Envelope.read(node, rules, &reader) else { return nil }
            if let status = envelope.status { return .status(status.value) }
            // One that is deleted, or that may not be shown, has neither.
            return envelope.statusID.map(Quote.named) ?? reader.fail(.refused)
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) {
            switch self {
            case .status(let status): status.write(to: &writer, style: style)
            case .named(let id): id.write(to: &writer, style: style)
            }
        }

        private struct Envelope: Record {
            var status: Indirect<Status>?, statusID: TweetID?

            static let schema = Schema<Envelope> {
                Field("quoted_status", \.status)
                Field("quoted_status_id", \.statusID)
                Ignored("state")
            }
        }
    }

    /// What Pleroma and Akkoma say beside what Mastodon says.
    struct Extension: Record {
        var content: PlainContent?, repliedName: String?, quote: Quote?, quoteID: TweetID?, quotesCount: Int?

        static let schema = Schema<Extension> {
            Field("content", \.content)
            Field("in_reply_to_account_acct", \.repliedName)
            Field("quote", \.quote)
            Field("quote_id", \.quoteID)
            Field("quotes_count", \.quotesCount, .absent(-1))
            Ignored(
                "bookmark_folder", "context", "conversation_id", "direct_conversation_id", "emoji_reactions", "event",
                "expires_at", "language", "list_id", "local", "parent_visible", "pinned_at", "quote_url",
                "quote_visible", "spoiler_text", "thread_muted")
        }
    }

    /// A text that is no HTML; one made of HTML has lost its line breaks.
    struct PlainContent: Record {
        var text: String?

        static let schema = Schema<PlainContent> {
            Field("text/plain", \.text)
            Ignored("text/html")
        }
    }

    /// A place, as Pixelfed names it.
    struct Locality: Record {
        var id: TweetID?, name: String?, country: String?

        static let schema = Schema<Locality> {
            Field("id", \.id)
            Field("name", \.name)
            Field("country", \.country)
            Ignored("lat", "long", "slug", "url")
        }
    }

    /// The program that a status was sent with.
    struct Program: Record {
        var name: String?, website: String?

        static let schema = Schema<Program> {
            Field("name", \.name)
            Field("website", \.website)
            Ignored("client_id", "client_secret", "vapid_key")
        }
    }

    /// Who sent it.
    struct Account: Record {
        var id: TweetID?, name: String?, address: String?, displayName: String?, note: String?, url: String?
        var location: String?, locked: Bool?, bot: Bool?, createdAt: SentMoment?, avatar: String?, header: String?
        var followersCount: Int?, followingCount: Int?, statusesCount: Int?

        static let schema = Schema<Account> {
            Field("id", \.id)
            Field("username", \.name)
            Field("acct", \.address)
            Field("display_name", \.displayName)
            Field("note", \.note)
            Field("url", \.url)
            Field("location", \.location)
            Field("locked", \.locked)
            Field("bot", \.bot)
            Field("created_at", \.createdAt)
            Field("avatar", \.avatar)
            Field("header", \.header)
            Field("followers_count", \.followersCount, .absent(-1))
            Field("following_count", \.followingCount, .absent(-1))
            Field("statuses_count", \.statusesCount, .absent(-1))
            Ignored(
                "accepts_direct_messages_from", "akkoma", "avatar_static", "discoverable", "emojis", "fields",
                "follow_requests_count", "fqn", "group", "header_bg", "header_static", "hide_collections", "indexable",
                "is_admin", "last_fetched_at", "last_status_at", "limited", "local", "moved",
                "mute_expires_at", "noindex", "note_text", "pleroma", "pronouns", "role", "roles", "source",
                "suspended",
                "uri", "website")
        }
    }

    /// A picture, a film or a sound.
    struct Attachment: Record {
        var id: TweetID?, type: String?, url: String?, remoteURL: String?, preview: String?, description: String?
        var meta: Meta?

        static let schema = Schema<Attachment> {
            Field("id", \.id)
            Field("type", \.type)
            Field("url", \.url)
            Field("remote_url", \.remoteURL)
            Field("preview_url", \.preview)
            Field("description", \.description)
            Field("meta", \.meta)
            Ignored(
                "blurhash", "filter_class", "filter_name", "is_nsfw", "license", "mime", "optimized_url", "orientation",
                "pleroma", "preview_remote_url", "text_url")
        }
    }

    /// What is known of a file.
    struct Meta: Record {
        var original: Extent?

        static let schema = Schema<Meta> {
            Field("original", \.original)
            Ignored(
                "aspect", "audio_bitrate", "audio_channels", "audio_encode", "colors", "duration", "focus", "fps",
                "height", "length", "size", "small", "width")
        }
    }

    /// The size of a picture in pixels, and the length of a film in seconds.
    struct Extent: Record {
        var width: Int?, height: Int?, duration: Double?

        static let schema = Schema<Extent> {
            Field("width", \.width)
            Field("height", \.height)
            Field("duration", \.duration)
            Ignored("aspect", "bitrate", "frame_rate", "size")
        }
    }

    /// A user in a text.
    struct Mention: Record {
        var id: TweetID?, name: String?, address: String?, url: String?

        static let schema = Schema<Mention> {
            Field("id", \.id)
            Field("username", \.name)
            Field("acct", \.address)
            Field("url", \.url)
        }
    }

    /// A hashtag.
    struct Tag: Record {
        var name = "", url: String?

        static let schema = Schema<Tag> {
            Field("name", \.name)
            Field("url", \.url)
            Ignored("featuring", "following", "history", "id", "slug")
        }
    }

    /// A poll.
    struct Question: Record {
        var expiresAt: SentMoment?, options: [Answer]?

        static let schema = Schema<Question> {
            Field("expires_at", \.expiresAt)
            Field("options", \.options, .dropInvalid)
            Ignored(
                "emojis", "expired", "id", "multiple", "non_anonymous", "own_votes", "pleroma", "voted", "voters_count",
                "votes_count")
        }
    }

    /// What a poll lets one choose.
    struct Answer: Record {
        var title: String?, votes: Int?

        static let schema = Schema<Answer> {
            Field("title", \.title)
            Field("votes_count", \.votes)
        }
    }
}
