import Settings
import EventLoop
import Testing

@testable import Proxy

struct UpstreamLimitsTests {
    private let start = MonotonicTime.now
    private let quotas = UpstreamLimits()

    private func quota(of kind: RequestKind, after milliseconds: Int) -> SpentQuota? {
        quotas.quota(of: kind, now: start + .milliseconds(milliseconds), wallClock: 0)
    }

    @Test func aKindIsBlockedUntilItsResetAndTheOthersAreNot() {
        #expect(quota(of: .search, after: 0) == nil)
        let news = quotas.note(limit: 900, seconds: 312, of: .search, now: start)
        #expect(news == SpentQuota(limit: 900, seconds: 312))
        #expect(quota(of: .search, after: 0)?.seconds == 312)
        #expect(quota(of: .search, after: 1)?.seconds == 312)
        #expect(quota(of: .search, after: 300_500)?.seconds == 12)
        #expect(quota(of: .search, after: 311_999)?.seconds == 1)
        #expect(quota(of: .search, after: 312_000) == nil)
        #expect(quota(of: .tweet, after: 1) == nil)
    }

    @Test(arguments: [
        (1, 1), (901, 901), (86_401, 86_401), (2_678_400, 2_678_400), (2_678_401, 2_678_400),
        (Int(UInt32.max), 2_678_400),
    ])
    func noResponseBlocksAKindForMoreThanTheLongestMonth(_ said: Int, _ seconds: Int) {
        #expect(quotas.note(limit: nil, seconds: said, of: .tweet, now: start)?.seconds == seconds)
        #expect(quota(of: .tweet, after: seconds * 1000 - 1) != nil)
        #expect(quota(of: .tweet, after: seconds * 1000) == nil)
    }

    @Test(arguments: [(1_217_931, 1_217_931), (4_000_000_000, 2_678_400)])
    func aPauseOfAMonthOutlivesTheProcess(_ left: Int, _ seconds: Int) {
        let clock = 1_767_225_600
        let pause = UpstreamLimits.Saved.Pause(requests: "tweet", limit: 20_000, until: clock + left)
        quotas.restore(UpstreamLimits.Saved(windows: [], pauses: [pause]), now: start, wallClock: clock)
        #expect(quota(of: .tweet, after: 0) == SpentQuota(limit: 20_000, seconds: seconds))
        #expect(quotas.saved(now: start, wallClock: clock).pauses.map(\.until) == [clock + seconds])
    }

    /// Its end would move by a second with each restart that falls between two seconds.
    @Test func aPauseEndsAsItHasBegunAfterManyRestarts() throws {
        let clock = 1_767_225_600
        var saved = UpstreamLimits.Saved(
            windows: [], pauses: [UpstreamLimits.Saved.Pause(requests: "tweet", limit: nil, until: clock + 5)])
        for restart in 0..<4 {
            let quotas = UpstreamLimits()
            let now = start + .milliseconds(1000 * restart)
            quotas.restore(saved, now: now, wallClock: clock + restart)
            saved = quotas.saved(now: now + .milliseconds(400), wallClock: clock + restart)
        }
        #expect(saved.pauses.map(\.until) == [clock + 5])
    }

    /// Of kinds that this version may not know, and of texts that name none.
    @Test(arguments: [
        ("tweet", true), ("a-route", true), ("", false), ("a b", false), ("é", false), ("a\u{7F}", false),
        (String(repeating: "a", count: 100), true), (String(repeating: "a", count: 101), false),
    ])
    func aSavedPauseIsKeptIfItsKindHasAName(_ name: String, _ isKept: Bool) {
        let pause = UpstreamLimits.Saved.Pause(requests: name, limit: nil, until: 100)
        quotas.restore(UpstreamLimits.Saved(windows: [], pauses: [pause]), now: start, wallClock: 0)
        #expect(quotas.saved(now: start, wallClock: 0).pauses == (isKept ? [pause] : []))
        #expect((quota(of: RequestKind(name), after: 0) != nil) == isKept)
    }

    @Test(
        arguments: [(.forecast, 4), (.history, 4), (.search, 0), (.tweet, 1), (RequestKind("a-route"), 7)]
            as [(RequestKind, Int)])
    func aKindCountsByItsWeight(_ kind: RequestKind, _ weight: Int) {
        var configuration = QuotaConfiguration()
        (configuration.perDay, configuration.weights) = (1000, ["forecast": 4, "search": 0, "a-route": 7])
        let quotas = UpstreamLimits(configuration)
        _ = quotas.take(kind, now: start, wallClock: 0)
        #expect(quotas.saved(now: start, wallClock: 0).windows.map(\.used) == [weight])
    }

    @Test func aPauseOfZeroSecondsBlocksNothing() {
        #expect(quotas.note(limit: 1, seconds: 0, of: .tweet, now: start) == nil)
        #expect(quota(of: .tweet, after: 0) == nil)
    }

    /// Of a budget of one request a minute, and a pause.
    @Test(
        arguments: [(0, 30, 60, 1), (20, 60, 60, nil), (60, 61, 61, nil), (20, 5, 40, 1), (59, 2, 2, nil)]
            as [(Int, Int, Int, Int?)])
    func ofAPauseAndASpentQuotaTheLongestCounts(_ wallClock: Int, _ pause: Int, _ seconds: Int, _ limit: Int?) {
        var configuration = QuotaConfiguration()
        configuration.perMinute = 1
        let quotas = UpstreamLimits(configuration)
        _ = quotas.take(.tweet, now: start, wallClock: 0)
        _ = quotas.note(limit: nil, seconds: pause, of: .tweet, now: start)
        let expected = SpentQuota(
            limit: limit, seconds: seconds, period: limit.map { _ in .minute }, renewal: limit.map { _ in 60 })
        #expect(quotas.quota(of: .tweet, now: start, wallClock: wallClock) == expected)
        #expect(quotas.take(.tweet, now: start, wallClock: wallClock) == .refused(expected))
    }

    @Test func aBlockIsReportedOnceAndTheLongestPauseCounts() {
        #expect(quotas.note(limit: 900, seconds: 100, of: .tweet, now: start) != nil)
        #expect(quotas.note(limit: 900, seconds: 50, of: .tweet, now: start) == nil)
        #expect(quota(of: .tweet, after: 0)?.seconds == 100)
        #expect(quotas.note(limit: 900, seconds: 200, of: .tweet, now: start) == nil)
        #expect(quota(of: .tweet, after: 0)?.seconds == 200)
        #expect(quotas.note(limit: 900, seconds: 10, of: .tweet, now: start + .seconds(200))?.seconds == 10)
    }
}
