import Foundation

/// The common part of a normalized search and the upstream's answer, for comparing the two.
struct AnsweredSearch: Decodable {
    struct Status: Decodable {
        var id: String
        var createdAt: Date
        var fullText: String
        var user: User
        var retweetCount: Int
        var favoriteCount: Int
        var entities: Entities
    }

    struct User: Decodable {
        var id: String
        var name: String
        var screenName: String
        var description: String
        var followersCount: Int
        var statusesCount: Int
        var createdAt: Date
    }

    struct Entities: Decodable {
        var hashtags: [Hashtag]
        var urls: [Link]
        var userMentions: [Mention]
    }

    struct Hashtag: Decodable {
        var text: String
    }

    struct Link: Decodable {
        var url: String
    }

    struct Mention: Decodable {
        var id: String
    }

    var statuses: [Status]
}

extension AnsweredSearch {
    /// Creates the expected result: a retweet has the text and the entities of the retweeted tweet.
    init(_ answer: TwitterCodable.Search) {
        statuses = answer.statuses.map { tweet in
            Status(
                id: tweet.idStr, createdAt: tweet.createdAt,
                fullText: Self.unescaped(tweet.retweetedStatus?.text ?? tweet.text), user: User(tweet.user),
                retweetCount: tweet.retweetCount, favoriteCount: tweet.favoriteCount,
                entities: Entities(tweet.retweetedStatus?.entities ?? tweet.entities))
        }
    }

    private static func unescaped(_ text: String) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")].reduce(text) { text, reference in
            text.replacingOccurrences(of: reference.0, with: reference.1)
        }
    }
}

extension AnsweredSearch.User {
    fileprivate init(_ user: TwitterCodable.User) {
        self.init(
            id: user.idStr, name: user.name, screenName: user.screenName, description: user.description,
            followersCount: user.followersCount, statusesCount: user.statusesCount, createdAt: user.createdAt)
    }
}

extension AnsweredSearch.Entities {
    fileprivate init(_ entities: TwitterCodable.Entities) {
        self.init(
            hashtags: entities.hashtags.map { AnsweredSearch.Hashtag(text: $0.text) },
            urls: entities.urls.map { AnsweredSearch.Link(url: $0.url) },
            userMentions: entities.userMentions.map { AnsweredSearch.Mention(id: $0.idStr) })
    }
}
