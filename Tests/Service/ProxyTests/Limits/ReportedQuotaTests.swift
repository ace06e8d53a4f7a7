import EventLoop
import HTTPCore
import Operations
import Testing

@testable import Proxy

@Suite(.timeLimit(.minutes(10)))
struct ReportedQuotaTests {
    /// An answer: the number that it has, the seconds until the reset, and the milliseconds of its request and its arrival.
    private typealias Answer = (remaining: Int, reset: Int, start: Int, end: Int)

    private let start = MonotonicTime.now
    private let quota = ReportedQuota(maximumWaiting: 2)

    private func note(_ answer: Answer, age: Int = 0) {
        let fields = [("X-RateLimit-Remaining", answer.remaining), ("X-RateLimit-Reset", answer.reset), ("Age", age)]
        let limit = RateLimit(HeaderFields(fields.map { ($0.0, "\($0.1)") }), now: 0)
        quota.note(limit, since: start + .milliseconds(answer.start), at: start + .milliseconds(answer.end))
    }

    /// How many of 64 requests are admitted; they stay under way.
    private func admitted(at milliseconds: Int) -> Int {
        (0..<64).filter { _ in quota.enterNow(at: start + .milliseconds(milliseconds)) }.count
    }

    @Test func noMoreRequestsAreUnderWayThanAreLeft() {
        #expect(quota.enterNow(at: start))
        note((3, 300, 0, 100))
        quota.leave()
        #expect(admitted(at: 200) == 3)
        quota.leave()
        quota.leave()
        #expect(admitted(at: 299_000) == 2)
        #expect(admitted(at: 300_100) == 64)
    }

    @Test func oneRequestMayAlwaysBeUnderWay() {
        note((0, 300, 0, 100))
        #expect(admitted(at: 200) == 1)
    }

    @Test(
        arguments: [
            // They overlap: the lower number is later, whichever arrives first.
            ((10, 300, 0, 1), (9, 300, 0, 2), 9), ((9, 300, 0, 1), (10, 300, 0, 2), 9),
            ((2, 300, 1000, 1100), (40, 300, 500, 4000), 2),
            // The first one was slow, so that its reset seems to be later.
            ((50, 300, 0, 3000), (3, 297, 3001, 3002), 3),
            // Another key, or a larger plan; another limit of the same upstream; a reset that was wrong.
            ((1, 1_000_000, 0, 1), (50, 1_000_000, 2, 3), 50), ((50, 800, 0, 1), (9, 200, 2, 3), 9),
            ((2, 2_600_000, 0, 1), (50, 900, 2, 3), 50),
            // The number for a second is over when it arrives.
            ((1, 1, 0, 1), (1, 1, 2, 3), 64), ((5, 300, 0, 1), (1, 1, 2, 3), 5),
        ] as [((Int, Int, Int, Int), (Int, Int, Int, Int), Int)])
    func theLatestNumberCounts(
        _ first: (Int, Int, Int, Int), _ second: (Int, Int, Int, Int), _ expected: Int
    ) {
        note(first)
        note(second)
        #expect(admitted(at: 5000) == expected)
    }

    @Test func theLimitCountsAfterAResetUntilAnAnswer() {
        let fields = [("X-RateLimit-Limit", "9"), ("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "300")]
        quota.note(RateLimit(HeaderFields(fields), now: 0), since: start, at: start)
        #expect(admitted(at: 299_000) == 1)
        #expect(admitted(at: 300_000) == 8)
        note((20, 300, 300_001, 300_002))
        #expect(admitted(at: 300_003) == 11)
    }

    @Test func theLimitIsForgottenAMinuteAfterAReset() {
        let fields = [("X-RateLimit-Limit", "9"), ("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "300")]
        quota.note(RateLimit(HeaderFields(fields), now: 0), since: start, at: start)
        #expect(admitted(at: 300_000) == 9)
        #expect(admitted(at: 359_000) == 0)
        #expect(admitted(at: 360_000) == 64)
    }

    @Test func theNumberInAnAnswerOfACacheDoesNotCount() {
        note((1, 300, 0, 100), age: 1)
        #expect(admitted(at: 200) == 64)
    }

    @Test func aRequestWaitsForTheEndOfAnother() async throws {
        try await withShard { shard in
            let far = MonotonicTime.now + .seconds(3600)
            note((1, 300, 0, 100))
            #expect(quota.enterNow(at: start))
            let late = await quota.enter(until: .now + .milliseconds(20), .system, on: shard)
            #expect(late == .tooLate)
            let patient = Task { await quota.enter(until: far, .system, on: shard) }
            while quota.waiting < 1 { await Task.yield() }
            quota.leave()
            #expect(await patient.value == .admitted)
            let others = (0..<2).map { _ in Task { await quota.enter(until: far, .system, on: shard) } }
            while quota.waiting < 2 { await Task.yield() }
            #expect(await quota.enter(until: far, .system, on: shard) == .refused)
            quota.update(maximumWaiting: 3)
            let third = Task { await quota.enter(until: far, .system, on: shard) }
            while quota.waiting < 3 { await Task.yield() }
            // There are more than it seemed.
            note((9, 300, 200, 300))
            for task in others + [third] { #expect(await task.value == .admitted) }
        }
    }

    @Test func aRequestWaitsForTheReset() async throws {
        try await withShard { shard in
            let now = MonotonicTime.now
            let fields = HeaderFields([("X-RateLimit-Remaining", "1"), ("X-RateLimit-Reset", "3")])
            // Of an answer that arrived almost three seconds ago.
            let arrival = MonotonicTime(nanoseconds: now.nanoseconds - 2_900_000_000)
            quota.note(RateLimit(fields, now: 0), since: arrival, at: arrival)
            #expect(quota.enterNow(at: now))
            let outcome = await quota.enter(until: now + .seconds(3600), .system, on: shard)
            #expect(outcome == .admitted)
            #expect(admitted(at: 10_000) == 64)
        }
    }
}
