public import API
public import JSONText
package import Records

/// The API of one kind of tweet upstream: how to request tweets, and how to read the answers.
public struct TweetDialect: Dialect {
    /// An error that an upstream answers in place of tweets.
    public struct Refusal: UpstreamRefusal, Sendable, Equatable, CustomStringConvertible {
        /// The upstream's message, of any length.
        public let message: String
        /// The upstream's own error code.
        public let code: Int?
        /// The HTTP status that the error means; nil if the dialect does not define one.
        public internal(set) var status: Int?

        /// The message with the code and the status.
        public var description: String {
            let numbers = [code.map { "code \($0)" }, status.map { "status \($0)" }].compactMap(\.self)
            return "the upstream answers with an error: \(message)"
                + (numbers.isEmpty ? "" : " (\(numbers.joined(separator: ", ")))")
        }
    }

    /// The name in configurations and in `weir normalize --as`.
    public let name: String
    /// Where a request carries the API key, if there is one.
    public let keyLocation: KeyLocation
    /// Whether requests must carry an API key.
    public internal(set) var needsKey = true
    /// Whether ids and names have Twitter's form; the upstream is not asked for others.
    var hasTwitterNames = false
    /// Makes the request that has to come before a query, for the look-up endpoint of this index.
    var lookup: @Sendable (TweetQuery, _ endpoint: Int) -> TweetLookup? = { _, _ in nil }
    /// The number of endpoints that look a user up by name, of which a server may have one only.
    public internal(set) var lookupEndpoints = 1
    let target: @Sendable (TweetQuery, _ vocabulary: Int) -> String
    /// The number of sets of parameter names, of which an upstream may know one only; it answers 400 to the others.
    public internal(set) var vocabularies = 1
    /// Makes the `maxId` of the page after the tweet with the given id; by default `maxId` is inclusive.
    var next: @Sendable (String) -> String? = { $0.predecessor }
    /// Returns where the answers to a query name the authors, which good ones do for each tweet.
    let author: @Sendable (TweetQuery) -> String
    let read: @Sendable (JSONNode, TweetQuery?, inout RecordReader) -> TweetAnswer?
    let refusal: @Sendable (JSONNode) -> Refusal?
    /// The status to answer for each HTTP status of an error whose body does not name one; see ``meaning(of:)`` for 451.
    var statuses: [Int: Int] = [:]
    /// Returns what it means if a search for a text without a key finds nothing; nil if that has no other meaning.
    var emptySearchWithoutKey: @Sendable (_ text: String) -> Refusal? = { _ in nil }

    /// The kinds, the rules and the reader of a mapping; nil for a dialect of Swift.
    package private(set) var mapping: MappedDialect?

    /// All dialects of Swift.
    public static let all: [TweetDialect] = [.twitter, .twitterV2, .mastodon]

    /// Whether a tweet of the upstream can have this id.
    public func isID(_ text: String) -> Bool {
        if let mapping { return mapping.rules.isID(text) }
        return hasTwitterNames ? Self.isNumericID(text) : text.wholeMatch(of: /[A-Za-z0-9_\-]{1,64}/) != nil
    }

    /// Whether a page of the upstream's lists can begin at this `maxId`, which is the id of a tweet except with mappings.
    package func isPageStart(_ text: String) -> Bool {
        mapping == nil ? isID(text) : MappedTweetRules.isPrintable(text)
    }

    /// Whether a user of the upstream can have this name; one of Mastodon's may include a server: `weir@example.com`.
    public func isName(_ text: String) -> Bool {
        if hasTwitterNames { return text.wholeMatch(of: /[A-Za-z0-9_]{1,15}/) != nil }
        return text.utf8.count <= 100 && text.wholeMatch(of: /[A-Za-z0-9_.\-]+(@[A-Za-z0-9_.\-]+)?/) != nil
    }

    /// Whether the upstream can have what `query` requests.
    public func canAnswer(_ query: TweetQuery) -> Bool {
        if let mapping, !mapping.kinds.contains(MappedTweets.Kind(query)) { return false }
        switch query {
        case .tweet(let id): return isID(id)
        case .timeline(let name, _, let maxId): return isName(name) && maxId.map(isPageStart) != false
        case .search(_, _, let maxId): return maxId.map(isPageStart) != false
        }
    }

    /// Whether a text has the form of Twitter's ids.
    static func isNumericID(_ text: String) -> Bool { text.wholeMatch(of: /[0-9]{1,19}/) != nil }

    /// Returns the request that has to come before `query`, for the look-up endpoint of this index; nil if there is
    /// none.
    public func lookup(for query: TweetQuery, endpoint: Int = 0) -> TweetLookup? { lookup(query, endpoint) }

    /// Returns the path and query of the request for `query`, starting with `/`, in one of the `vocabularies`.
    public func target(for query: TweetQuery, vocabulary: Int = 0) -> String { target(query, vocabulary) }

    /// The names of the parameters in requests of all kinds, in all vocabularies.
    public var parameterNames: Set<String> {
        let queries: [TweetQuery] = [
            .tweet(id: "1"), .timeline(screenName: "weir", count: 10, maxId: "2"),
            .search(text: "rain", count: 10, maxId: "2"), .search(text: "#rain", count: 10, maxId: "2"),
        ]
        return KeyLocation.parameterNames(
            in: queries.flatMap { query in
                (0..<vocabularies).map { target(query, $0) }
                    + (0..<lookupEndpoints).compactMap { lookup(query, $0)?.target }
            })
    }

    /// Reads an upstream's document as the contract's, complete and repaired.
    ///
    /// A list is limited to the number of tweets that `query` requests. `link` is the `Link` header field of the
    /// response (RFC 8288), and `hasKey` tells whether the request carried one.
    /// - Throws: `JSONSyntaxError` if the document is not JSON, `Refusal` if it is an error, `ContractError` if it is
    ///   not what `query` requests or required fields are missing.
    public func normalize(
        _ bytes: [UInt8], answering query: TweetQuery? = nil, link: String? = nil, hasKey: Bool = true,
        options: JSONOptions = JSONOptions()
    ) throws -> TweetDocument {
        var (answer, drift) = try answer(bytes, query, options)
        if let query, !answer.matches(query) { throw unreadable }
        if !hasKey, case .search(let text, _, nil) = query, answer.tweets.isEmpty,
            let refusal = emptySearchWithoutKey(text)
        {
            throw refusal
        }
        if let query, !answer.tweets.isEmpty, answer.tweets.allSatisfy({ $0.content.user == nil }) {
            drift.noteMissing(query.pattern + "user", from: author(query))
        }
        answer.limit(to: query?.count, page: link.flatMap { NextPage(link: $0) }, next: next)
        return TweetDocument(answer: answer, drift: drift, size: bytes.count)
    }

    /// Renders the tweets of an upstream's document as plain text, with an empty line between them.
    /// - Throws: The errors of `normalize`.
    public func text(of bytes: [UInt8], options: JSONOptions = JSONOptions()) throws -> String {
        try answer(bytes, nil, options).0.tweets.map { $0.rendered() }.joined(separator: "\n\n")
    }

    /// Returns the status that an error of the given HTTP status means, with or without a message; nil if that depends on
    /// the message.
    public func meaning(of status: Int) -> Int? {
        // A court or a law withholds the post (RFC 7725): like 403, this is about the post.
        if status == 451 { return 403 }
        return status == 404 || statuses[status] == 404 ? 404 : nil
    }

    /// Returns the error in the body of a response with the given HTTP status; nil if the body is not an error.
    ///
    /// If the request carried a key, a status 401 is about the key, and not about the client.
    public func refusal(in bytes: [UInt8], status: Int? = nil, hasKey: Bool = false) -> Refusal? {
        guard var found = (try? readError(bytes, refusal)) ?? nil else { return nil }
        if !hasKey || status != 401 {
            found.status = found.status ?? status.flatMap { statuses[$0] ?? meaning(of: $0) }
        }
        return found
    }

    private func answer(
        _ bytes: [UInt8], _ query: TweetQuery?, _ options: JSONOptions
    ) throws -> (TweetAnswer, DriftReport) {
        var parser = JSONParser(options: options.forUpstream)
        var (answer, drift) = try parser.withDocument(bytes) { root in
            if let mapping {
                let found = try mapping.read(root, query)
                try options.checkTime(for: bytes)
                return found
            }
            if let refusal = refusal(root) { throw refusal }
            var reader = RecordReader()
            let answer = read(root, query, &reader)
            // What was read in too little time lacks parts, or fails without a fault of the document.
            try options.checkTime(for: bytes)
            guard let answer else { throw reader.failure(expected: Self.expectation) }
            return (answer, reader.drift)
        }
        drift.merge(DriftReport(parser.textRepairs))
        return (answer, drift)
    }

    static let expectation = "a tweet or a list of tweets"

    /// The error for an answer of another kind than the query requests.
    var unreadable: ContractError { RecordReader().failure(expected: Self.expectation) }
}

/// The part of a dialect that a mapping describes.
package struct MappedDialect: Sendable {
    /// Reads a document of the upstream; the mapping judges whether the document is an error.
    package typealias Reading = @Sendable (JSONNode, TweetQuery?) throws -> (TweetAnswer, DriftReport)

    /// The kinds of requests that the upstream answers.
    package let kinds: Set<MappedTweets.Kind>
    package let rules: MappedTweetRules
    let read: Reading
}

extension TweetDialect {
    /// A dialect that a mapping describes; the mapping makes its requests.
    ///
    /// `parameterNames` are those of all requests, and `upstreamError` returns the message of an error's body.
    package init(
        mapped name: String, keyLocation: KeyLocation, needsKey: Bool, kinds: Set<MappedTweets.Kind>,
        rules: MappedTweetRules, parameterNames: Set<String> = [],
        upstreamError: @escaping @Sendable (JSONNode) -> String? = { _ in nil },
        read: @escaping MappedDialect.Reading
    ) {
        (self.name, self.keyLocation, self.needsKey) = (name, keyLocation, needsKey)
        // Only the names of the parameters are asked for: a key cannot have one of them.
        target = { _, _ in "/?" + parameterNames.sorted().map { "\($0)=" }.joined(separator: "&") }
        author = { $0.pattern + "user" }
        refusal = { upstreamError($0).map { Refusal(message: $0, code: nil, status: nil) } }
        self.read = { _, _, _ in nil }
        mapping = MappedDialect(kinds: kinds, rules: rules, read: read)
    }
}

/// Files of documents that follow one another, as archives and `twarc` have them: one tweet, or one page, in each line.
extension TweetDialect {
    /// Reads a file of one document or several; the tweets of several are one list.
    ///
    /// A document that has no tweet is left out and reported, like an element of a list.
    /// - Throws: The errors of `normalize`.
    public func normalize(
        archive bytes: [UInt8], in shaping: TweetShaping, options: JSONOptions = JSONOptions()
    ) throws -> ShapedDocument {
        do {
            return try normalize(bytes, options: options).shaped(shaping)
        } catch let error as JSONSyntaxError where error.reason == .trailingData {
            var writer = JSONWriter(capacity: bytes.count)
            writer.write(byte: UInt8(ascii: "["))
            let drift = try forEachTweet(in: bytes, options) { tweet in
                if writer.count > 1 { writer.write(byte: UInt8(ascii: ",")) }
                tweet.write(to: &writer, style: shaping.style)
            }
            writer.write(byte: UInt8(ascii: "]"))
            return ShapedDocument(body: writer.takeBytes(), drift: drift)
        }
    }

    /// Renders the tweets of a file of one document or several as plain text, with an empty line between them.
    /// - Throws: The errors of `normalize`.
    public func text(ofArchive bytes: [UInt8], options: JSONOptions = JSONOptions()) throws -> String {
        do {
            return try text(of: bytes, options: options)
        } catch let error as JSONSyntaxError where error.reason == .trailingData {
            var texts: [String] = []
            _ = try forEachTweet(in: bytes, options) { texts.append($0.rendered()) }
            return texts.joined(separator: "\n\n")
        }
    }

    /// Passes the tweets of all documents to `take`, and returns the repairs.
    private func forEachTweet(
        in bytes: [UInt8], _ options: JSONOptions, _ take: (Tweet) -> Void
    ) throws -> DriftReport {
        var options = options.forUpstream
        options.leniency.insert(.concatenated)
        var parser = JSONParser(options: options), reader = RecordReader()
        var count = 0, isUsable = false, mapped = DriftReport()
        try parser.withDocuments(bytes) { root in
            let found = reader.at(element: count) { $0.part { tweets(in: root, at: count, &mapped, &$0) } }
            count += 1
            if found != nil { isUsable = true }
            found?.forEach(take)
        }
        try options.checkTime(for: bytes)
        if !isUsable { throw unreadable }
        var drift = reader.drift
        drift.merge(mapped)
        drift.merge(DriftReport(parser.textRepairs))
        return drift
    }

    /// Returns the tweets of one document; nil for another document.
    ///
    /// A mapping has repairs of its own, which go into `mapped`.
    private func tweets(
        in root: JSONNode, at index: Int, _ mapped: inout DriftReport, _ reader: inout RecordReader
    ) -> [Tweet]? {
        if let mapping {
            guard let (answer, drift) = try? mapping.read(root, nil) else { return nil }
            mapped.merge(drift.moved(under: "[]", example: "[\(index)]"))
            return answer.tweets
        }
        guard refusal(root) == nil, let answer = read(root, nil, &reader) else { return nil }
        switch answer {
        case .tweet, .timeline, .search: return answer.tweets
        case .user, .users: return nil
        }
    }
}
