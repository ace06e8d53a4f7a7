import JSONText
import LenientCoding

extension TwitterV1 {
    /// A tweet, made the contract's as soon as it is read: one that is none fails.
    struct SentTweet: FieldValue {
        let tweet: Tweet

        static var expectation: String { "a tweet" }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentTweet? {
            guard let tweet = Status.tweet(of: node, &reader) else { return nil }
            return SentTweet(tweet: tweet)
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { tweet.write(to: &writer, style: style) }
    }

    /// A list of tweets.
    struct SentTweets: FieldValue {
        let tweets: [Tweet]

        static var expectation: String { [SentTweet].expectation }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentTweets? {
            reader.readElements(of: node, rules, expected: SentTweet.expectation) { Status.tweet(of: $0, &$1) }
                .map(SentTweets.init)
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { tweets.write(to: &writer, style: style) }
    }

    /// A tweet that another one passes on.
    struct SentRetweet: FieldValue {
        let tweet: Indirect<RetweetedTweet>

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentRetweet? {
            guard var status = Status.read(node, rules, &reader) else { return nil }
            guard status.complete(ofText: true, &reader) else { return reader.fail(.invalid) }
            return SentRetweet(tweet: Indirect(status.takeRetweetedTweet()))
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { tweet.write(to: &writer, style: style) }
    }

    /// A tweet that another one quotes.
    struct SentQuote: FieldValue {
        let tweet: Indirect<QuotedTweet>

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentQuote? {
            guard var status = Status.read(node, rules, &reader) else { return nil }
            guard status.complete(ofText: true, &reader) else { return reader.fail(.invalid) }
            return SentQuote(tweet: Indirect(status.takeQuotedTweet()))
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { tweet.write(to: &writer, style: style) }
    }
}
