import Settings
import EventLoop
import Foundation
import Operations
import TestSupport
import Testing

@testable import Proxy

struct QuotaBudgetTests {
    /// 2026-01-31T23:59:30Z.
    private static let now = 1_769_903_970

    /// A budget whose changing methods can be called within an expectation.
    private final class Budget {
        private var budget: QuotaBudget
        init(_ limits: [QuotaBudget.Period: Int]) { budget = QuotaBudget(limits) }
        func take(_ weight: Int, _ now: Int) -> QuotaBudget.Outcome { budget.take(weight, at: now) }
        func spent(_ weight: Int, _ now: Int) -> SpentQuota? { budget.spent(weight, at: now) }
        func restore(_ counts: [(period: QuotaBudget.Period, start: Int, used: Int)]) { budget.restore(counts) }
        var counts: [(period: QuotaBudget.Period, start: Int, used: Int)] { budget.counts }
    }

    /// A spent quota whose next period begins at `renewal`, in unix seconds, after `seconds`.
    private static func spent(
        _ limit: Int, _ period: QuotaBudget.Period = .day, renewal: Int = 86_400, in seconds: Int = 86_400
    ) -> SpentQuota {
        SpentQuota(limit: limit, seconds: seconds, period: period, renewal: renewal)
    }

    /// The seconds until the end of each period: the last half minute of January.
    @Test(arguments: [
        (QuotaBudget.Period.second, now, 1), (.minute, now, 30), (.hour, now, 30), (.day, now, 30), (.month, now, 30),
        (.minute, now + 30, 60), (.hour, now + 30, 3600), (.day, now + 30, 86_400),
        (.month, now + 30, 28 * 86_400), (.month, 1_798_761_599, 1), (.month, 1_709_208_000, 43_200),
    ])
    func aSpentBudgetHasRoomAgainInTheNextPeriodOfUTC(_ period: QuotaBudget.Period, _ now: Int, _ seconds: Int) {
        let budget = Budget([period: 2])
        #expect(budget.take(1, now) == .admitted(exhausted: nil))
        #expect(budget.spent(1, now) == nil)
        let spent = Self.spent(2, period, renewal: now + seconds, in: seconds)
        #expect(budget.take(1, now) == .admitted(exhausted: spent))
        #expect(budget.take(1, now) == .refused(spent))
        #expect(budget.take(1, now + seconds - 1) == .refused(Self.spent(2, period, renewal: now + seconds, in: 1)))
        #expect(budget.take(1, now + seconds) == .admitted(exhausted: nil))
    }

    @Test func theLongestWaitCounts() {
        let budget = Budget([.minute: 1, .day: 1])
        #expect(budget.take(1, 0) == .admitted(exhausted: Self.spent(1)))
        #expect(budget.take(1, 70) == .refused(Self.spent(1, in: 86_330)))
    }

    @Test func aRefusedRequestIsNotCounted() {
        let budget = Budget([.second: 1, .day: 9])
        for _ in 1...5 { _ = budget.take(1, 0) }
        #expect(budget.counts.map(\.used) == [1, 1])
    }

    @Test func requestsThatWereMadeAlreadyMayExceedTheLimit() {
        var budget = QuotaBudget([.day: 10, .month: 1000])
        let spent = Self.spent(10)
        let added = [3, 2, 2, 100].map { budget.add($0, of: 2, at: 0) }
        #expect(added == [nil, spent, nil, nil])
        #expect(budget.counts.map(\.used) == [214, 214])
        #expect(budget.take(2, at: 0) == .refused(spent))
        #expect(budget.take(2, at: 86_400) == .admitted(exhausted: nil))
    }

    @Test func weightsCount() {
        let budget = Budget([.day: 10])
        #expect(budget.take(7, 0) == .admitted(exhausted: Self.spent(10)))
        #expect(budget.take(7, 0) == .refused(Self.spent(10)))
        #expect(budget.take(0, 0) == .admitted(exhausted: nil))
        #expect(budget.take(3, 0) == .admitted(exhausted: Self.spent(10)))
        #expect(budget.take(0, 0) == .admitted(exhausted: nil))
        // A request above the limit takes all of it.
        #expect(budget.take(99, 86_400) == .admitted(exhausted: Self.spent(10, renewal: 172_800)))
    }

    @Test func withoutLimitsNothingIsSpent() {
        let budget = Budget([:])
        for _ in 1...1000 { #expect(budget.take(1_000_000, 0) == .admitted(exhausted: nil)) }
    }

    /// A clock that goes back far was wrong before.
    @Test func aClockThatGoesBackDoesNotRenewTheBudget() {
        let budget = Budget([.minute: 1])
        #expect(budget.take(1, 6000) == .admitted(exhausted: Self.spent(1, .minute, renewal: 6060, in: 60)))
        #expect(budget.take(1, 5990) == .refused(Self.spent(1, .minute, renewal: 6060, in: 70)))
        #expect(budget.take(1, 3000) == .admitted(exhausted: Self.spent(1, .minute, renewal: 3060, in: 60)))
    }

    /// What a budget with the second limit takes over from one with the first, and how many requests that leaves.
    @Test(
        arguments: [
            ([20, 5, 20], 20), ([20, nil, 20], 20), ([20, nil, 30], 30), ([nil, 20], 20), ([20, 5], 20), ([5, 20], 20),
        ] as [([Int?], Int)])
    func countsContinueWithAnotherLimit(_ limits: [Int?], _ total: Int) {
        var budget = QuotaBudget()
        var made = 0
        for limit in limits {
            var next = QuotaBudget(limit.map { [.day: $0] } ?? [:])
            next.restore(budget.counts)
            budget = next
            for _ in 1...25 where limit != nil {
                if case .admitted = budget.take(1, at: 0) { made += 1 }
            }
        }
        #expect(made == total)
        #expect(budget.counts.map(\.used) == [total])
    }

    @Test func requestsWithoutALimitCountForTheNextOne() {
        var budget = QuotaBudget()
        budget.restore([(.day, 0, 3)])
        let unlimited = (1...4).map { _ in budget.take(1, at: 100) }
        #expect(unlimited == Array(repeating: .admitted(exhausted: nil), count: 4))
        var next = QuotaBudget([.day: 8])
        next.restore(budget.counts)
        let outcomes = (1...2).map { _ in next.take(1, at: 200) }
        let spent = Self.spent(8, in: 86_200)
        #expect(outcomes == [.admitted(exhausted: spent), .refused(spent)])
        // Weights count as a whole, whatever the limit was.
        var small = QuotaBudget([.day: 5])
        _ = small.take(99, at: 0)
        #expect(small.counts.map(\.used) == [99])
    }

    @Test func countsAreRestoredUnlessTheirPeriodIsOver() {
        let budget = Budget([.minute: 5, .day: 5])
        budget.restore([(.minute, 60, 5), (.day, 0, 4), (.month, 0, 9)])
        #expect(budget.spent(1, 100) == Self.spent(5, .minute, renewal: 120, in: 20))
        #expect(budget.take(1, 120) == .admitted(exhausted: Self.spent(5, in: 86_280)))
        budget.restore([(.day, 0, -7)])
        #expect(budget.take(1, 120) == .admitted(exhausted: nil))
        // A file can state any number.
        budget.restore([(.day, 0, .max), (.minute, .max, .max)])
        #expect(budget.take(1, 120) == .refused(Self.spent(5, in: 86_280)))
        budget.restore([(.day, .min, .min), (.minute, .min, .max)])
        #expect(budget.take(1, 120) == .admitted(exhausted: nil))
    }
}

/// Quotas that outlive a configuration and a process.
struct SavedQuotasTests {
    private static func configuration(perDay: Int?, name: String = "sky") -> UpstreamConfiguration {
        var configuration = UpstreamConfiguration()
        configuration.name = name
        configuration.quota.perDay = perDay
        return configuration
    }

    @Test func aWriteThatIsLateDoesNotEmptyTheFile() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = "\(folder.path)/quotas.json"
        let file = UpstreamLimits.Saved.file(path, log: .standard, clock: .system)
        file.write { ["sky": .init(windows: [], pauses: [])] }
        // As of a registry that has been released, before the process has ended.
        file.write { nil }
        #expect(UpstreamLimits.Saved.file(path, log: .standard, clock: .system).content?.keys.sorted() == ["sky"])
    }

    @Test("A file with another content is kept under another name, and nothing that is no file")
    func otherContent() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = try folder.write("[1]", to: "quotas.json")
        let file = UpstreamLimits.Saved.file(path, log: Log(), clock: .system)
        #expect(file.content == nil)
        file.write { ["sky": .init(windows: [], pauses: [])] }
        #expect(UpstreamLimits.Saved.file(path, log: Log(), clock: .system).content?.keys.sorted() == ["sky"])
        #expect(try String(contentsOfFile: path + ".unread", encoding: .utf8) == "[1]")
        let inner = "\(folder.path)/inner"
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
        #expect(UpstreamLimits.Saved.file(inner, log: Log(), clock: .system).content == nil)
        #expect(!FileManager.default.fileExists(atPath: inner + ".unread"))
    }

    @Test func pausesAndCountsAreSavedAndRestored() {
        var configuration = QuotaConfiguration()
        configuration.perDay = 5
        let now = MonotonicTime.now
        let quotas = UpstreamLimits(configuration)
        _ = quotas.take(.tweet, now: now, wallClock: 1000)
        _ = quotas.note(limit: 9, seconds: 300, of: .search, now: now)
        _ = quotas.note(limit: 9, seconds: 10, of: .tweet, now: now)
        let saved = quotas.saved(now: now + .seconds(100), wallClock: 1100)
        #expect(saved.windows == [.init(period: .day, start: 0, used: 1)])
        #expect(saved.pauses == [.init(requests: "search", limit: 9, until: 1300)])
        // A process that starts later, on another clock.
        let later = UpstreamLimits(configuration)
        later.restore(saved, now: now + .seconds(5), wallClock: 1200)
        #expect(later.quota(of: .search, now: now + .seconds(5), wallClock: 1200)?.seconds == 100)
        #expect(later.saved(now: now, wallClock: 1200).windows == saved.windows)
        let late = UpstreamLimits(configuration)
        late.restore(saved, now: now, wallClock: 1300)
        #expect(late.quota(of: .search, now: now, wallClock: 1300) == nil)
    }

    @Test func aReloadKeepsTheStateOfAnUpstream() {
        let now = MonotonicTime.now
        let registry = UpstreamRegistry()
        let state = registry.state(for: Self.configuration(perDay: 2))
        for _ in 1...2 { _ = state.quotas.take(.forecast, now: now, wallClock: 0) }
        #expect(registry.state(for: Self.configuration(perDay: 3)) === state)
        #expect(state.quotas.quota(of: .forecast, now: now, wallClock: 0) == nil)
        _ = registry.state(for: Self.configuration(perDay: 2))
        #expect(state.quotas.quota(of: .forecast, now: now, wallClock: 0) != nil)
        _ = registry.state(for: Self.configuration(perDay: nil))
        #expect(state.quotas.quota(of: .forecast, now: now, wallClock: 0) == nil)
        #expect(registry.state(for: Self.configuration(perDay: 2, name: "other")) !== state)
    }

    /// 150 upstreams, of which one has a long name, another one a period that is over, and half of the others a pause.
    @Test func theFileKeepsWhatLastsOfUpstreamsThatAreNotConfigured() throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let clock = Clock(now: { .now }, milliseconds: { 1_769_903_970_000 })
        func entry(_ index: Int) -> String {
            if index % 2 == 1 { return #"{"windows":[],"pauses":[{"requests":"tweet","until":1769990000}]}"# }
            return #"{"windows":[{"period":"month","start":1767225600,"used":\#(index)}],"pauses":[]}"#
        }
        let entries =
            (100..<250).map { "\"sky-\($0)\":\(entry($0))" } + [
                "\"\(String(repeating: "a", count: 101))\":\(entry(2))",
                #""a-day":{"windows":[{"period":"day","start":1769731200,"used":9}],"pauses":[]}"#,
            ]
        let path = try folder.write("{\(entries.joined(separator: ","))}", to: "quotas.json")
        for _ in 1...2 {
            let registry = UpstreamRegistry(quotaPath: path, log: Log(), clock: clock)
            _ = registry.state(for: Self.configuration(perDay: 2, name: "sky-240"))
            registry.finish(Log())
            let saved = UpstreamLimits.Saved.file(path, log: Log(), clock: clock).content ?? [:]
            #expect(saved.keys.sorted() == (100..<200).map { "sky-\($0)" } + ["sky-240"])
            #expect(saved["sky-102"]?.windows.map(\.used) == [102])
            #expect(saved["sky-103"]?.pauses.map(\.until) == [1_769_990_000])
            // A period without a limit counts, too.
            #expect(saved["sky-240"]?.windows.map(\.used) == [240])
        }
    }

    @Test(arguments: [
        nil, "", "{", "[]", #"{"sky":1}"#, #"{"sky":{"windows":[],"pauses":[{"requests":"x","until":9}]}}"#,
    ])
    func anUnreadableFileIsReplaced(_ text: String?) throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = try folder.write(text ?? "", to: "quotas.json") + (text == nil ? ".absent" : "")
        for used in 1...2 {
            let registry = UpstreamRegistry(quotaPath: path, log: Log())
            let state = registry.state(for: Self.configuration(perDay: 2))
            #expect(state.quotas.quota(of: .forecast, now: .now, wallClock: WallClock.seconds) == nil)
            _ = state.quotas.take(.forecast, now: .now, wallClock: WallClock.seconds)
            registry.finish(Log())
            let saved = try Parsed(Checkout.read(path))
            #expect(saved["sky"]["windows"][0]["used"].integer == used)
        }
        let last = UpstreamRegistry(quotaPath: path, log: Log()).state(for: Self.configuration(perDay: 2))
        #expect(last.quotas.quota(of: .forecast, now: .now, wallClock: WallClock.seconds)?.limit == 2)
    }
}
