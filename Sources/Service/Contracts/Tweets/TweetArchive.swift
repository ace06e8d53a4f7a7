public import API
public import JSONText
import Records

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
        var count = 0, isUsable = false
        try parser.withDocuments(bytes) { root in
            let found = reader.at(element: count) { $0.part { tweets(in: root, &$0) } }
            count += 1
            if found != nil { isUsable = true }
            found?.forEach(take)
        }
        try options.checkTime(for: bytes)
        if !isUsable { throw unreadable }
        var drift = reader.drift
        drift.merge(DriftReport(parser.textRepairs))
        return drift
    }

    /// Returns the tweets of one document; nil for another document.
    private func tweets(in root: JSONNode, _ reader: inout RecordReader) -> [Tweet]? {
        guard refusal(root) == nil, let answer = read(root, nil, &reader) else { return nil }
        switch answer {
        case .tweet, .timeline, .search: return answer.tweets
        case .user, .users: return nil
        }
    }
}
