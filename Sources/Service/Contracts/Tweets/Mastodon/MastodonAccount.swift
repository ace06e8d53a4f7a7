import API
import Records

extension Mastodon {
    /// A photo, a video or a sound.
    struct WireMedia: Record {
        var media = Media()
        var id: WireID?, type: String?, remoteURL: String?, preview: String?, meta: Meta?

        static let schema = Schema<WireMedia> {
            Field("id", \.id)
            Field("type", \.type)
            Field("url", \.media.url, .address)
            Field("remote_url", \.remoteURL, .address)
            Field("preview_url", \.preview, .address)
            Field("description", \.media.altText)
            Field("meta", \.meta)
            Ignored(
                "blurhash", "filter_class", "filter_name", "is_nsfw", "license", "mime", "optimized_url", "orientation",
                "pleroma", "preview_remote_url", "text_url")
        }

        private static let types = ["image": "photo", "gifv": "animatedGif"]

        /// Returns the contract's media; nil, and reported, without an id.
        func model(_ reader: inout RecordReader) -> Media? {
            guard let id = reader.identified(id) else { return nil }
            var media = media
            media.id = id
            media.setType(type, renaming: Self.types, &reader)
            media.url = media.url ?? remoteURL ?? preview
            media.url?.useSecureScheme()
            if media.type == .known(.audio) { media.previewUrl = preview }
            media.previewUrl?.useSecureScheme()
            media.width = meta?.original?.width
            media.height = meta?.original?.height
            media.durationMillis = meta?.original?.duration.flatMap { seconds in
                (0...1e9).contains(seconds) ? Int((seconds * 1000).rounded()) : nil
            }
            return media
        }
    }

    struct Meta: Record {
        var original: WireSize?

        static let schema = Schema<Meta> {
            Field("original", \.original)
            Ignored(
                "aspect", "audio_bitrate", "audio_channels", "audio_encode", "colors", "duration", "focus", "fps",
                "height", "length", "size", "small", "width")
        }
    }

    struct WireAccount: WireRecord {
        var user = User()
        var id: WireID?, username: String?, note: String?, createdAt: WireDate?

        static let schema = Schema<WireAccount> {
            Field("id", \.id)
            Field("username", \.username)
            Field("acct", \.user.screenName)
            Field("display_name", \.user.name)
            Field("note", \.note)
            Field("url", \.user.url, .address)
            Field("location", \.user.location)
            Field("locked", \.user.protected)
            Field("bot", \.user.bot)
            Field("created_at", \.createdAt)
            Field("avatar", \.user.profileImageUrl, .address)
            Field("header", \.user.profileBannerUrl, .address)
            Field("followers_count", \.user.followersCount, .absent(-1))
            Field("following_count", \.user.friendsCount, .absent(-1))
            Field("statuses_count", \.user.statusesCount, .absent(-1))
            Ignored(
                "accepts_direct_messages_from", "akkoma", "avatar_description", "avatar_static", "discoverable",
                "emojis", "feature_approval", "fields", "follow_requests_count", "fqn", "group", "header_bg",
                "header_description", "header_static", "hide_collections", "indexable", "is_admin", "last_fetched_at",
                "last_status_at", "limited", "local", "memorial", "moved", "mute_expires_at", "noindex", "note_text",
                "pleroma", "pronouns", "role", "roles", "show_featured", "show_media", "show_media_replies", "source",
                "suspended", "uri", "website")
        }

        mutating func convert(to model: inout User, _ reader: inout RecordReader) -> Bool {
            guard let id = reader.demand(id, "id") else { return false }
            user.id = id.text
            user.screenName = user.screenName ?? username
            user.description = note.map { PlainText(html: $0).text }
            user.createdAt = createdAt?.time
            user.profileImageUrl?.useSecureScheme()
            user.profileBannerUrl?.useSecureScheme()
            swap(&model, &user)
            return true
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
