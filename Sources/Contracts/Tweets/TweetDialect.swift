public import JSONText
import LenientCoding

/// How one kind of upstream of tweets speaks: how to ask it, and how to read what it says.
///
/// Pure: the same value serves requests, the command line, tests and benchmarks.
public struct TweetDialect: Sendable {
    /// An error that an upstream answers in place of tweets.
    public struct Refusal: Error, Sendable, Equatable, CustomStringConvertible {
        /// What it says, of any length.
        public let message: String
        /// The upstream's own number of the error.
        public let code: Int?
        /// The HTTP status that the error stands for; nil where it stands for none of its own.
        public internal(set) var status: Int?

        /// What it says, with its numbers.
        public var description: String {
            let numbers = [code.map { "code \($0)" }, status.map { "status \($0)" }].compactMap(\.self)
            return "the upstream answers with an error: \(message)"
                + (numbers.isEmpty ? "" : " (\(numbers.joined(separator: ", ")))")
        }
    }

    /// The name in configurations and in `weir normalize --as`.
    public let name: String
    /// Where the key goes.
    public let keyLocation: KeyLocation
    /// What has to be asked first.
    var lookup: @Sendable (TweetQuery) -> TweetLookup? = { _ in nil }
    let target: @Sendable (TweetQuery) -> String
    /// The `maxId` that asks for those after a tweet, by its id: that is the highest that is wanted, unless said otherwise.
    var next: @Sendable (String) -> String? = { $0.predecessor }
    let read: @Sendable (JSONNode, TweetQuery?, inout RecordReader) -> TweetAnswer?
    let refusal: @Sendable (JSONNode) -> Refusal?
    /// What the HTTP status of an error stands for, where the error itself does not say.
    var meanings: [Int: Int] = [:]

    /// Every dialect there is.
    public static let all: [TweetDialect] = [.twitter, .twitterV2, .mastodon]

    /// The dialect called `name`, or nil.
    public static func named(_ name: String) -> TweetDialect? { all.first { $0.name == name } }

    /// What has to be asked first; nil where `query` can be asked as it is.
    public func lookup(for query: TweetQuery) -> TweetLookup? { lookup(query) }

    /// The path and query that ask an upstream for what `query` says, starting with `/`.
    public func target(for query: TweetQuery) -> String { target(query) }

    /// Makes the contract's document of an upstream's, in the form that `shaping` asks for.
    ///
    /// Of a list no more is kept than `query` asks for; `link` is the field Link that it came with (RFC 8288).
    /// - Throws: `JSONSyntaxError` when it is not JSON, `Refusal` when it is an error, `ContractError` when it is
    ///   nothing that the contract knows.
    public func normalize(
        _ bytes: [UInt8], answering query: TweetQuery? = nil, link: String? = nil,
        shaping: TweetShaping = TweetShaping(), options: JSONOptions = JSONOptions()
    ) throws -> Normalized {
        var (answer, drift) = try answer(bytes, query, options)
        if let query, !answer.answers(query) { throw unreadable }
        answer.bound(to: query?.count, link.flatMap { NextPage(link: $0) }, next: next)
        var style = WritingStyle()
        style.dates = shaping.dates
        style.selection = shaping.fields
        let body = JSONWriter.bytes(expecting: bytes.count) { answer.write(to: &$0, style: style) }
        return Normalized(body: body, drift: drift, nextMaxId: answer.nextMaxId)
    }

    /// The tweets of an upstream's document as a person would read them, an empty line between them.
    /// - Throws: what `normalize` throws.
    public func text(of bytes: [UInt8], options: JSONOptions = JSONOptions()) throws -> String {
        try answer(bytes, nil, options).0.tweets.map { $0.rendered() }.joined(separator: "\n\n")
    }

    /// The error in the body of an upstream's answer, which came with `status`; nil when there is none to be found.
    public func refusal(in bytes: [UInt8], status: Int? = nil) -> Refusal? {
        var parser = JSONParser(options: JSONOptions(maximumBytes: 64 << 10, maximumDepth: 16))
        guard var found = (try? parser.withDocument(bytes) { refusal($0) }) ?? nil else { return nil }
        found.status = found.status ?? status.flatMap { meanings[$0] }
        return found
    }

    private func answer(
        _ bytes: [UInt8], _ query: TweetQuery?, _ options: JSONOptions
    ) throws -> (TweetAnswer, DriftReport) {
        var parser = JSONParser(options: options)
        return try parser.withDocument(bytes) { root in
            if let refusal = refusal(root) { throw refusal }
            var reader = RecordReader()
            guard let answer = read(root, query, &reader) else { throw reader.failure(expected: Self.expectation) }
            return (answer, reader.drift)
        }
    }

    private static let expectation = "a tweet or a list of tweets"

    /// What is said of an answer that is nothing that the contract knows.
    var unreadable: ContractError { RecordReader().failure(expected: Self.expectation) }
}
