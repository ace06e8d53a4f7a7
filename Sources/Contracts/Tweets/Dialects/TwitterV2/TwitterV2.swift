import JSONText
import LenientCoding

extension TweetDialect {
    private static let wanted =
        "expansions=author_id,attachments.media_keys,attachments.poll_ids,geo.place_id,in_reply_to_user_id,"
        + "referenced_tweets.id,referenced_tweets.id.author_id,entities.mentions.username"
        + "&tweet.fields=attachments,author_id,created_at,entities,geo,in_reply_to_user_id,lang,note_tweet,"
        + "possibly_sensitive,public_metrics,referenced_tweets,source,withheld"
        + "&user.fields=created_at,description,location,profile_image_url,protected,public_metrics,url,verified,withheld"
        + "&media.fields=alt_text,duration_ms,height,preview_image_url,type,url,variants,width"
        + "&place.fields=country,country_code,full_name,geo,name,place_type"
        + "&poll.fields=duration_minutes,end_datetime,options"

    /// Twitter v2: `/2/tweets/{id}`, with a bearer token.
    public static let twitterV2 = TweetDialect(
        name: "twitterV2",
        keyPlace: .bearer,
        lookup: { query in
            guard case .timeline(let name, let count, let maxId) = query else { return nil }
            return TweetLookup(target: "/2/users/by/username/\(PercentText.encode(name))") { answer in
                answer["data"]?["id"]?.string.map { .timeline(screenName: $0, count: count, maxId: maxId) }
            }
        },
        target: { query in
            switch query {
            case .tweet(let id): return "/2/tweets/\(PercentText.encode(id))?\(wanted)"
            case .timeline(let user, let count, let maxId):
                // By the user's id, which `users/by/username` tells.
                return "/2/users/\(PercentText.encode(user))/tweets?\(wanted)"
                    + parameters(count, from: 5, maxId)
            case .search(let text, let count, let maxId):
                return "/2/tweets/search/recent?query=\(PercentText.encode(text))&\(wanted)"
                    + parameters(count, from: 10, maxId)
            }
        },
        read: { TwitterV2.read($0, $1, &$2) },
        refusal: { TwitterV2.refusal($0) })

    /// From `fewest` to 100 tweets can be asked for; `until_id` is the first that is not wanted.
    private static func parameters(_ count: Int?, from fewest: Int, _ maxId: String?) -> String {
        (count.map { "&max_results=\(max(fewest, min(100, $0)))" } ?? "")
            + (maxId?.successor.map { "&until_id=\($0)" } ?? "")
    }
}
