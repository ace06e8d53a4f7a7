import Foundation
import LenientCoding

/// The recorded answers of upstreams of tweets that lie beside the repository; see README.md there.
enum RecordedTweets {
    /// A recorded file; without a value it is no JSON, or more than one document.
    struct Document: Sendable {
        let dialect: String, name: String
        let bytes: [UInt8]
        let value: JSONValue?
    }

    private static let folders = [
        ("twitter-v1.1", "twitter"), ("twitter-v2", "twitterV2"), ("mastodon", "mastodon"),
    ]

    /// What lies beside the repository, or where `WEIR_CORPUS` says.
    static var shared: URL {
        ProcessInfo.processInfo.environment["WEIR_CORPUS"].map { URL(fileURLWithPath: $0) }
            ?? (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            .appendingPathComponent("shared")
    }

    /// All of them, in the order of their names; none, and a line about it, without the folders.
    static let all: [Document] = folders.flatMap { folder, dialect in
        let url = shared.appendingPathComponent("corpus").appendingPathComponent(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            print("recorded tweets: skipped, there is no folder \(url.path)")
            return [Document]()
        }
        return names.sorted().compactMap { name in
            FileManager.default.contents(atPath: url.appendingPathComponent(name).path).map { data in
                Document(
                    dialect: dialect, name: "\(folder)/\(name)", bytes: Array(data),
                    value: JSONValue(parsing: Array(data)))
            }
        }
    }
}

/// Does long work where it keeps no other test waiting: tests that wait for a socket need the pool's few threads.
enum Apart {
    private static let queue = DispatchQueue(label: "tweets")

    static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: work()) } }
    }
}
