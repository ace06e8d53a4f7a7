import API
import ContractsSupport
import JSONText
import Records
import TestSupport
import Testing
import Contracts

/// Compares recorded tweets with a second implementation of the contract.
@Suite("Recorded tweets")
struct RecordedTweetTests {
    @Test(
        "No value is lost, changed or added, and the report lists exactly the repairs",
        arguments: TweetDialect.all.map(\.name))
    func complete(dialect name: String) async throws {
        let dialect = try #require(TweetDialect.named(name))
        let faults = await RecordedTweets.queue.run {
            RecordedTweets.all.filter { $0.dialect == name }.compactMap { recorded -> String? in
                guard let value = recorded.value else { return nil }
                return Self.fault(of: recorded.bytes, value, in: dialect).map { "\(recorded.name): \($0)" }
            }
        }
        #expect(faults == [])
    }

    @Test("A document without tweets and users is an error or of a known unsupported kind")
    func unsupportedKinds() async {
        let unknown = await RecordedTweets.queue.run {
            RecordedTweets.all.filter { recorded in
                guard let dialect = TweetDialect.named(recorded.dialect), let value = recorded.value,
                    dialect.refusal(in: recorded.bytes) == nil
                else { return false }
                let body = (try? dialect.normalize(recorded.bytes).shaped().body).flatMap { JSONValue(parsing: $0) }
                let isServed = body.map { $0 != [] } ?? false
                return !isServed && UnsupportedDocument.kind(of: value, in: recorded.dialect) == nil
            }.map(\.name)
        }
        #expect(unknown == [])
    }

    @Test("The indices of every entity select its text", arguments: TweetDialect.all.map(\.name))
    func indices(dialect name: String) async throws {
        let dialect = try #require(TweetDialect.named(name))
        let faults = await RecordedTweets.queue.run {
            RecordedTweets.all.filter { $0.dialect == name }.flatMap { recorded -> [String] in
                guard let body = try? dialect.normalize(recorded.bytes).shaped().body,
                    let answer = JSONValue(parsing: body)
                else { return [] }
                return TweetInventory.misplaced(in: answer).map { "\(recorded.name): \($0)" }
            }
        }
        #expect(faults == [])
    }

    @Test("A stream of several documents is refused at its second document")
    func streams() throws {
        for recorded in RecordedTweets.all where recorded.name.contains(".jsonstream") {
            let dialect = try #require(TweetDialect.named(recorded.dialect))
            let error = #expect(throws: JSONSyntaxError.self) { try dialect.normalize(recorded.bytes) }
            #expect("\(String(describing: error))".contains("something follows the end of the document"))
        }
    }

    @Test(
        "Both implementations agree on the fixtures", arguments: TweetDialect.all.map(\.name)
    )
    func cases(dialect name: String) throws {
        let dialect = try #require(TweetDialect.named(name))
        for (fixture, value) in try Self.plainCases(of: name) where fixture.expected.error == nil {
            // The reference has U+FFFD instead of half of a surrogate pair.
            let bytes = fixture.expected.drift.contains("loneSurrogate") ? value.bytes : fixture.input
            #expect(Self.fault(of: bytes, value, in: dialect) == nil, "\(fixture.name)")
        }
    }

    @Test("Both implementations agree on damaged documents", arguments: 0..<6)
    func damaged(_ part: UInt64) async throws {
        let dialect = TweetDialect.all[Int(part) % TweetDialect.all.count]
        // Short documents only: a change in a long one rarely affects a value of the contract.
        let documents =
            try RecordedTweets.all.filter { $0.dialect == dialect.name && $0.bytes.count < 20_000 }.compactMap(\.value)
            + Self.plainCases(of: dialect.name).map(\.value)
        let faults = await RecordedTweets.queue.run {
            (part * 800..<(part + 1) * 800).compactMap { number -> String? in
                var mutation = TweetMutation(seed: number)
                let document = mutation.damaged(documents[Int(number) % documents.count])
                return Self.fault(of: document.bytes, document, in: dialect).map {
                    "damage \(number) of \(dialect.name): \($0)"
                }
            }
        }
        #expect(faults == [])
    }

    /// Returns the fixtures without duplicate keys and rare forms, which the reference does not support.
    private static func plainCases(of dialect: String) throws -> [(fixture: Fixture, value: JSONValue)] {
        let unknown = [
            "archive-post-in-data", "archive-posts-in-data", "dates-of-mail-old", "link-without-address",
            "search-of-archived-tweets", "text-pretty-printed", "text-tag-with-open-quote",
            "text-tag-with-quoted-bracket", "timeline-of-both-forms", "archive-list", "archive-post",
            "archive-post-flattened", "archived-tweet", "archived-tweets",
            "date-far-in-the-future", "date-of-mail", "date-of-mail-short", "date-of-twitter", "date-with-a-space",
            "date-with-zone", "duplicate-keys", "quote-link-in-a-span", "text-blocks", "text-blockquote",
            "text-image", "text-items-alone", "text-lines-of-the-source", "text-list", "text-other-markup",
            "text-table", "text-terms",
        ]
        return try Fixture.all(in: dialect).compactMap { fixture in
            if unknown.contains(fixture.name) { return nil }
            return JSONValue(parsing: fixture.input).map { (fixture, $0) }
        }
    }

    /// Returns how the answer of `dialect` differs from the reference, or nil if it does not.
    private static func fault(of bytes: [UInt8], _ value: JSONValue, in dialect: TweetDialect) -> String? {
        let (expected, repairs) = reference(value, in: dialect)
        do {
            let answer = try dialect.normalize(bytes).shaped()
            guard let expected else { return "it is not refused" }
            guard let actual = JSONValue(parsing: answer.body) else { return "the answer is not JSON" }
            return JSONDifference.first(expected, actual) ?? difference(repairs, answer.drift)
        } catch is TweetDialect.Refusal {
            let isError = ["errors", "error", "detail", "title", "message"].contains { value[$0] != nil }
            return isError && expected == nil ? nil : "it is an upstream's error"
        } catch is ContractError {
            return expected == nil ? nil : "it is refused"
        } catch {
            return "\(error)"
        }
    }

    private static func reference(_ value: JSONValue, in dialect: TweetDialect) -> (JSONValue?, Repairs) {
        switch dialect.name {
        case "twitter":
            let reference = ReferenceTwitter(of: value)
            return (reference.answer, reference.repairs)
        case "twitterV2":
            let reference = ReferenceTwitterV2(of: value)
            return (reference.answer, reference.repairs)
        default:
            let reference = ReferenceMastodon(of: value)
            return (reference.answer, reference.repairs)
        }
    }

    /// Compares the repairs, unknown members by name; of a full report only the listed entries and the sum.
    private static func difference(_ expected: Repairs, _ report: DriftReport) -> String? {
        var found: Repairs = [:]
        for entry in report.entries {
            let isUnknown = entry.kind == .unexpectedKey
            let what = isUnknown ? ReferenceTable.lastName(of: entry.path) : entry.reason.rawValue[...]
            found["\(entry.kind.rawValue) \(what)", default: 0] += entry.count
        }
        let isListed = found.allSatisfy { $0.value <= expected[$0.key, default: 0] }
        let all = found.values.reduce(report.unlisted, +)
        if isListed, all == expected.values.reduce(0, +) { return nil }
        return "expected the repairs \(expected), found \(found) and \(report.unlisted) more"
    }
}
