import LenientCoding

extension Mastodon {
    struct WireAccount: WireRecord {
        var user = User()
        var id: WireID?, username: String?, note: String?, createdAt: ISODate?

        static let schema = Schema<WireAccount> {
            Field("id", \.id)
            Field("username", \.username)
            Field("acct", \.user.screenName)
            Field("display_name", \.user.name)
            Field("note", \.note)
            Field("url", \.user.url)
            Field("location", \.user.location)
            Field("locked", \.user.protected)
            Field("bot", \.user.bot)
            Field("created_at", \.createdAt)
            Field("avatar", \.user.profileImageUrl)
            Field("header", \.user.profileBannerUrl)
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
}
