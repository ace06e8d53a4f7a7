import Foundation

/// Measures how long one answer to a search blocks the event loop of the service, which runs here with one shard.
struct LoopContest {
    private let service: TweetService
    private let searches: [TweetSearch]

    init(_ document: Document) throws {
        searches = try TweetSearch.all(document)
        service = try TweetService(searches)
    }

    /// Requests every search for its share of `seconds` and returns the longest block in milliseconds.
    func run(seconds: Double) throws -> Double {
        let probe = LoopProbe(service.service.loop)
        var longest = 0.0
        for search in searches {
            guard let connection = service.service.connection() else { throw NoAnswer() }
            let target = service.target(of: search)
            // The first requests initialize tables and connections.
            for _ in 0..<3 { try Self.request(target, connection) }
            let end = Date(timeIntervalSinceNow: seconds / Double(searches.count))
            var count = 0
            let held = try probe.longest {
                while Date() < end {
                    try Self.request(target, connection)
                    count += 1
                }
            }
            Terminal.say(
                "tweets.shard: \(search.name), \(count) answers: blocked for \(Figure.text(held.processor)) ms of processor time, "
                    + "\(Figure.text(held.wall)) ms by the clock")
            longest = max(longest, held.processor)
        }
        return longest
    }

    private static func request(_ target: String, _ connection: BenchConnection) throws {
        guard let head = connection.get(target: target), head.hasPrefix("HTTP/1.1 200") else { throw NoAnswer() }
    }

    /// The service did not answer a search.
    struct NoAnswer: Error, CustomStringConvertible {
        var description: String { "the service did not answer a search" }
    }
}
