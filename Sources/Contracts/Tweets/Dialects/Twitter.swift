import JSONText
import LenientCoding

extension TweetDialect {
    /// Twitter v1.1: `/1.1/statuses/show.json`, with a bearer token.
    public static let twitter = TweetDialect(
        name: "twitter",
        keyLocation: .bearer,
        target: { query in
            let common = "tweet_mode=extended&include_ext_alt_text=true"
            switch query {
            case .tweet(let id): return "/1.1/statuses/show.json?id=\(PercentText.encode(id))&\(common)"
            case .timeline(let name, let count, let maxId):
                return "/1.1/statuses/user_timeline.json?screen_name=\(PercentText.encode(name))&\(common)"
                    + PercentText.parameters(count, maxId)
            case .search(let text, let count, let maxId):
                return "/1.1/search/tweets.json?q=\(PercentText.encode(text))&\(common)"
                    + PercentText.parameters(count, maxId)
            }
        },
        read: { node, _, reader in TwitterV1.read(node, &reader) },
        refusal: { TwitterV1.refusal($0) })
}

extension PercentText {
    fileprivate static func parameters(_ count: Int?, _ maxId: String?) -> String {
        (count.map { "&count=\($0)" } ?? "") + (maxId.map { "&max_id=\(encode($0))" } ?? "")
    }
}
