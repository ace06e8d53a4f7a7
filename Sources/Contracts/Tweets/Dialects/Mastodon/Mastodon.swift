import JSONText
import LenientCoding

extension TweetDialect {
    /// Mastodon, Pleroma, Akkoma and Pixelfed: `/api/v1/statuses/{id}`, without a key.
    public static let mastodon = TweetDialect(
        name: "mastodon",
        keyPlace: .none,
        lookup: { query in
            guard case .timeline(let name, let count, let maxId) = query else { return nil }
            return TweetLookup(target: "/api/v1/accounts/lookup?acct=\(PercentText.encode(name))") { account in
                account["id"]?.string.map { .timeline(screenName: $0, count: count, maxId: maxId) }
            }
        },
        target: { query in
            switch query {
            case .tweet(let id): return "/api/v1/statuses/\(PercentText.encode(id))"
            case .timeline(let account, let count, let maxId):
                // By the account's id, which `accounts/lookup` tells.
                return "/api/v1/accounts/\(PercentText.encode(account))/statuses?"
                    + parameters(count, maxId)
            case .search(let text, let count, let maxId):
                return "/api/v2/search?type=statuses&q=\(PercentText.encode(text))&" + parameters(count, maxId)
            }
        },
        // Mastodon's max_id is the first that is not wanted any more.
        next: { $0 },
        read: { Mastodon.read($0, $1, &$2) },
        refusal: { Mastodon.refusal($0) },
        meanings: Mastodon.meanings)

    private static func parameters(_ count: Int?, _ maxId: String?) -> String {
        "limit=\(min(40, count ?? 20))" + (maxId.map { "&max_id=\(PercentText.encode($0))" } ?? "")
    }
}
