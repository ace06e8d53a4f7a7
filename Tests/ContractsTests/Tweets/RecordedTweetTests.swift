import Contracts
import Foundation
import JSONText
import LenientCoding
import Testing

/// The recorded tweets beside a second implementation of the contract.
@Suite("Recorded tweets")
struct RecordedTweetTests {
    @Test(
        "No value of any is lost, changed or invented, and the report lists exactly what was repaired",
        arguments: TweetDialect.all.map(\.name))
    func complete(dialect name: String) async throws {
        let dialect = try #require(TweetDialect.named(name))
        let faults = await Apart.run {
            RecordedTweets.all.filter { $0.dialect == name }.compactMap { recorded -> String? in
                guard let value = recorded.value else { return nil }
                return Self.fault(of: recorded.bytes, value, in: dialect).map { "\(recorded.name): \($0)" }
            }
        }
        #expect(faults == [])
    }

    @Test("What gives no tweet and no user is an error, of another kind, or more than one document")
    func served() async {
        let unjudged = await Apart.run {
            RecordedTweets.all.filter { recorded in
                guard let dialect = TweetDialect.named(recorded.dialect), let value = recorded.value,
                    dialect.refusal(in: recorded.bytes) == nil
                else { return false }
                let body = (try? dialect.normalize(recorded.bytes).body).flatMap { JSONValue(parsing: $0) }
                let isServed = body.map { $0 != [] } ?? false
                return !isServed && OtherKinds.name(of: value, in: recorded.dialect) == nil
            }.map(\.name)
        }
        #expect(unjudged == [])
    }

    @Test("Indices cut exactly their entities out of every text", arguments: TweetDialect.all.map(\.name))
    func indices(dialect name: String) async throws {
        let dialect = try #require(TweetDialect.named(name))
        let faults = await Apart.run {
            RecordedTweets.all.filter { $0.dialect == name }.flatMap { recorded -> [String] in
                guard let body = try? dialect.normalize(recorded.bytes).body, let answer = JSONValue(parsing: body)
                else { return [] }
                return TweetInventory.misplaced(in: answer).map { "\(recorded.name): \($0)" }
            }
        }
        #expect(faults == [])
    }

    @Test("Streams of several documents are refused by what follows the first")
    func streams() throws {
        for recorded in RecordedTweets.all where recorded.name.contains(".jsonstream") {
            let dialect = try #require(TweetDialect.named(recorded.dialect))
            let error = #expect(throws: JSONSyntaxError.self) { try dialect.normalize(recorded.bytes) }
            #expect("\(String(describing: error))".contains("something follows the end of the document"))
        }
    }

    @Test("The cases of files are what the contract says by both implementations")
    func cases() throws {
        // The reference knows of nothing that no upstream was seen to do.
        let names = [
            "text-", "retweet-best", "quoted", "code-points", "user-whole", "users", "search", "timeline", "reply",
            "unknown",
        ]
        for fixture in try Fixture.all(in: "twitter") where names.contains(where: fixture.name.hasPrefix) {
            guard fixture.expected.error == nil, let value = JSONValue(parsing: fixture.input) else { continue }
            #expect(Self.fault(of: fixture.input, value, in: .twitter) == nil, "\(fixture.name)")
        }
        let statuses = [
            "account", "akkoma", "boost", "conversation", "counts", "media", "mention", "pixelfed", "pleroma", "poll",
            "quote", "stream", "tag", "timeline", "unknown",
        ]
        for fixture in try Fixture.all(in: "mastodon") where statuses.contains(where: fixture.name.hasPrefix) {
            guard fixture.expected.error == nil, let value = JSONValue(parsing: fixture.input) else { continue }
            #expect(Self.fault(of: fixture.input, value, in: .mastodon) == nil, "\(fixture.name)")
        }
    }

    /// What `dialect` does with a document otherwise than the contract says; nil when it does as it says.
    private static func fault(of bytes: [UInt8], _ value: JSONValue, in dialect: TweetDialect) -> String? {
        let (expected, repairs) = reference(value, in: dialect)
        do {
            let answer = try dialect.normalize(bytes)
            guard let expected else { return "it is not refused" }
            guard let actual = JSONValue(parsing: answer.body) else { return "the answer is no JSON" }
            return JSONDifference.first(expected, actual) ?? difference(repairs, answer.drift)
        } catch is TweetDialect.Refusal {
            let isError = value["errors"] != nil || value["error"] != nil
            return isError && expected == nil ? nil : "it is taken for an error"
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

    /// What is reported otherwise than it was made, strangers by their names; of a full report, what is listed and the sum.
    private static func difference(_ expected: Repairs, _ report: DriftReport) -> String? {
        var found: Repairs = [:]
        for entry in report.entries {
            let isStranger = entry.kind == .unexpectedKey
            let what = isStranger ? ReferenceNames.lastName(of: entry.path) : entry.reason.rawValue[...]
            found["\(entry.kind.rawValue) \(what)", default: 0] += entry.count
        }
        let isListed = found.allSatisfy { $0.value <= expected[$0.key, default: 0] }
        let all = found.values.reduce(report.unlisted, +)
        if isListed, all == expected.values.reduce(0, +) { return nil }
        return "expected the repairs \(expected), found \(found) and \(report.unlisted) more"
    }
}
