import ContractsSupport
import Records
import TestSupport

/// The recorded answers of tweet upstreams.
enum RecordedTweets {
    /// A recorded file; `value` is nil if it is not JSON, or more than one document.
    struct Document: Sendable {
        let dialect: String, name: String
        let bytes: [UInt8]
        let value: JSONValue?
    }

    private static let folders = [
        ("twitter-v1.1", "twitter"), ("twitter-v2", "twitterV2"), ("mastodon", "mastodon"),
    ]

    /// All recorded files.
    static let all: [Document] = folders.flatMap { folder, dialect in
        Checkout.sharedFiles("corpus/\(folder)").map { name, bytes in
            Document(dialect: dialect, name: "\(folder)/\(name)", bytes: bytes, value: JSONValue(parsing: bytes))
        }
    }

    /// The queue for tests with all recorded files.
    static let queue = WorkQueue("tweets")
}
