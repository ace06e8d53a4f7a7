import Settings
import HTTPClient
import TestSupport
import Testing
import Synchronization

@testable import Proxy

@Suite("The stage that hedges slow tries", .timeLimit(.minutes(10)))
struct HedgingStageTests {
    /// What a try does once both are under way.
    enum End: Sendable {
        /// It waits until the other one has ended the race.
        case waits
        case answers
        case fails(Int)
    }

    /// A test whose upstream usually takes this time, and has saved all the retries that it can.
    private static func test(hedges: Bool = true, transfers: Int = 100, milliseconds: Int = 1) throws -> StageTest {
        let test = try StageTest { ($0.hedges, $0.retryPercent) = (hedges, 100) }
        for _ in 0..<transfers { test.state.noteTransfer(.milliseconds(milliseconds)) }
        for _ in 0..<10 { test.state.retries.withLock { $0.noteRequest() } }
        return test
    }

    @Test(
        "The first answer of two tries wins, and the failure of the first try if there is none",
        arguments: [
            (End.waits, End.answers, "second"), (.answers, .waits, "first"), (.fails(404), .waits, "404"),
            (.waits, .fails(404), "404"), (.answers, .fails(503), "first"), (.fails(503), .fails(500), "503"),
        ])
    func race(first: End, second: End, text: String) async throws {
        let (test, bothRun, attempts) = (try Self.test(), Signal(), Watched<[Attempt]>([]))
        defer { test.stop() }
        let fetch = test.fetch()
        let result = await test.run([.hedge], fetch) { fetch throws(FetchFailure) in
            let count = attempts.update { attempts -> Int in
                attempts.append(fetch.attempt)
                return attempts.count
            }
            fetch.attempt.change { ($0.isAdmitted, $0.bytes) = (true, count) }
            if count == 1 { await bothRun.wait(on: test.shard) } else { bothRun.send() }
            switch count == 1 ? first : second {
            case .waits:
                // Until the end of the race cancels the try.
                await Signal().wait(on: test.shard)
                throw .transfer(.cancelled)
            case .answers: return test.found(count == 1 ? "first" : "second")
            case .fails(let status): throw .answered(status)
            }
        }
        #expect(result.text == text)
        #expect(attempts.current.map(\.isExtra) == [false, true])
        let isOfSecond = if case .waits = first { true } else { false }
        #expect(fetch.attempt.record.bytes == (isOfSecond ? 2 : 1))
    }

    @Test("The second try may end a little after a failure of the first one that another try may mend")
    func mended() async throws {
        let (test, bothRun, failed, runs) = (try Self.test(milliseconds: 500), Signal(), Signal(), Watched(0))
        defer { test.stop() }
        let result = await test.run([.hedge], test.fetch()) { _ throws(FetchFailure) in
            if runs.increase() == 1 {
                await bothRun.wait(on: test.shard)
                failed.send()
                throw .answered(503)
            }
            bothRun.send()
            await failed.wait(on: test.shard)
            return test.found("second")
        }
        #expect(result.text == "second")
    }

    @Test(
        "There is no second try where the configuration has none, or too little is known of the upstream",
        arguments: [(false, 100), (true, 99)])
    func notHedged(hedges: Bool, transfers: Int) async throws {
        let (test, seen) = (try Self.test(hedges: hedges, transfers: transfers), Watched<[Attempt]>([]))
        defer { test.stop() }
        let fetch = test.fetch()
        _ = await test.run([.hedge], fetch) { fetch in
            seen.update { $0.append(fetch.attempt) }
            return test.found("new")
        }
        #expect(seen.current.map { $0 === fetch.attempt } == [true])
    }

    @Test("A second try that is not sent costs no retry")
    func notSent() async throws {
        let (test, bothRun, runs) = (try Self.test(), Signal(), Watched(0))
        defer { test.stop() }
        _ = await test.run([.hedge], test.fetch()) { _ throws(FetchFailure) in
            if runs.increase() == 1 {
                await bothRun.wait(on: test.shard)
                return test.found("first")
            }
            bothRun.send()
            throw .suspended(seconds: 1)
        }
        var left = 0
        while test.state.retries.withLock({ $0.takeRetry() }) { left += 1 }
        #expect(left == 10)
    }
}
