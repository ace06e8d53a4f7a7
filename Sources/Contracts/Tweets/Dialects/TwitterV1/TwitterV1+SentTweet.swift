import JSONText
import LenientCoding

extension TwitterV1 {
    /// A tweet, made the contract's as soon as it is read: one that is none fails.
    struct SentTweet: FieldValue {
        let tweet: Tweet

        static var expectation: String { "a tweet" }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentTweet? {
            var tweet = Tweet()
            return Status.fill(&tweet, from: node, &reader) ? SentTweet(tweet: tweet) : nil
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { tweet.write(to: &writer, style: style) }
    }

    /// A list of tweets.
    struct SentTweets: FieldValue {
        let tweets: [Tweet]

        static var expectation: String { [SentTweet].expectation }

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentTweets? {
            reader.fillElements(of: node, rules, expected: SentTweet.expectation, blank: Tweet.init) {
                Status.fill(&$1, from: $0, &$2)
            }.map(SentTweets.init)
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { tweets.write(to: &writer, style: style) }
    }

    /// A tweet that another one passes on.
    struct SentRetweet: FieldValue {
        let tweet: Indirect<RetweetedTweet>

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentRetweet? {
            var status = Status()
            guard reader.fill(&status, from: node) else { return nil }
            guard status.complete(ofText: true, &reader) else { return reader.fail(.invalid) }
            return SentRetweet(tweet: Indirect { status.move(to: &$0) })
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { tweet.write(to: &writer, style: style) }
    }

    /// A tweet that another one quotes.
    struct SentQuote: FieldValue {
        let tweet: Indirect<QuotedTweet>

        static func read(_ node: JSONNode, _ rules: FieldRules, _ reader: inout RecordReader) -> SentQuote? {
            var status = Status()
            guard reader.fill(&status, from: node) else { return nil }
            guard status.complete(ofText: true, &reader) else { return reader.fail(.invalid) }
            return SentQuote(tweet: Indirect { status.move(to: &$0) })
        }

        func write(to writer: inout JSONWriter, style: WritingStyle) { tweet.write(to: &writer, style: style) }
    }
}
