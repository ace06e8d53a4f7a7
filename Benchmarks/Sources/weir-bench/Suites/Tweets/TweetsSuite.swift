import API
import Foundation
import Contracts
import Gateway

/// Normalizing a Twitter v1.1 search answer, and the event loop of the service while it does so.
///
/// The peers only decode and encode.
struct TweetsSuite: Suite {
    static let name = "tweets"
    static let names =
        [
            "tweets.normalize.vsFoundation", "tweets.normalize.vsNode", "tweets.normalize.vsSerde",
            "tweets.shard.held",
        ] + DialectContest.names(name, TweetDialect.all.map(\.name) + ["bluesky"])

    /// The peers with the names and the bars of their figures.
    private static let bars = [
        ("foundation", "vsFoundation", 30.0), ("node", "vsNode", 3.0), ("serde", "vsSerde", 1.5),
    ]

    private let seconds: Double
    private let document: Document
    private let foundation = FoundationCoders.twitter
    private let node: Worker?, serde: Worker?
    private let dialects: DialectContest

    init(_ options: SuiteOptions) throws {
        seconds = options.seconds
        document = Document.twitter(options)
        node = .node(document.bytes)
        serde = .serde("tweets", document.bytes)
        dialects = DialectContest(
            suite: Self.name,
            entries: try TweetDialect.all.map { dialect in
                DialectContest.Entry(
                    dialect: dialect.name, document: try .search(of: dialect.name, options),
                    normalize: { try dialect.normalize($0).shaped() })
            } + [try Self.bluesky(options)])
        Terminal.say("tweets: \(document.origin), \(document.bytes.count) bytes")
        if node == nil { Terminal.say("skipped: tweets.normalize.vsNode, it needs node") }
        if serde == nil { Terminal.say("skipped: tweets.normalize.vsSerde, serde_json is not built: see README.md") }
        try check()
    }

    /// The mapping of Bluesky.
    private static func bluesky(_ options: SuiteOptions) throws -> DialectContest.Entry {
        let mapping = try MappingNormalization("bluesky", kind: .search, in: nil)
        let dialect = mapping.dialect as? TweetDialect ?? .twitter
        return DialectContest.Entry(
            dialect: "bluesky", document: try .search(of: "bluesky", options),
            normalize: { try dialect.normalize($0).shaped() })
    }

    func contestants() throws -> [Contestant] { try peers() + dialects.contestants }

    private func peers() throws -> [Contestant] {
        let data = Data(document.bytes)
        var all = [
            Contestant("tweets.normalize") { keep(try TweetDialect.twitter.normalize(document.bytes).shaped()) },
            Contestant("tweets.foundation") {
                let search = try foundation.decoder.decode(TwitterCodable.Search.self, from: data)
                keep(try foundation.encoder.encode(search))
            },
        ]
        if let node { all.append(Contestant(elsewhere: "tweets.node") { try node.run($0) }) }
        if let serde { all.append(Contestant(elsewhere: "tweets.serde") { try serde.run($0) }) }
        return all
    }

    func run(_ report: (Figure) -> Void) throws {
        let results = try Contest(contestants: peers()).run(seconds: seconds / 2)
        Terminal.say("tweets: \(results.summary)")
        for (peer, figure, bar) in Self.bars {
            guard let ratio = results.ratio(of: "tweets.\(peer)", to: "tweets.normalize") else { continue }
            report(Figure(name: "tweets.normalize.\(figure)", value: ratio, bar: .atLeast(bar)))
        }
        try dialects.run(seconds: seconds / 4, report)
        let held = try LoopContest(document).run(seconds: seconds / 2)
        report(Figure(name: "tweets.shard.held", value: held, bar: .atMost(2)))
    }

    /// Throws unless the answer holds the tweets that Foundation decodes from the document.
    private func check() throws {
        let decoded = try foundation.decoder.decode(TwitterCodable.Search.self, from: Data(document.bytes))
        let answer = Data(try TweetDialect.twitter.normalize(document.bytes).shaped().body)
        try Digest(try foundation.answerDecoder.decode(AnsweredSearch.self, from: answer))
            .expect(Digest(AnsweredSearch(decoded)), of: "the answer", in: "tweets")
        if let count = Allocations.count({ keep(try? TweetDialect.twitter.normalize(document.bytes).shaped()) }) {
            Terminal.say("tweets.normalize: \(count) allocations")
        }
    }
}
