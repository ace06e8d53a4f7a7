import Settings
import HTTPClient
import TestSupport
import Testing
import Synchronization

@testable import Proxy

@Suite("The stage that repeats requests", .timeLimit(.minutes(10)))
struct RetryStageTests {
    /// A test whose upstream has saved this number of retries.
    private static func test(saved: Int = 10) throws -> StageTest {
        let test = try StageTest { $0.retryPercent = 100 }
        for _ in 0..<saved { test.state.retries.withLock { $0.noteRequest() } }
        return test
    }

    /// Returns the number of tries that fail with `failure`.
    private static func tries(_ test: StageTest, _ fetch: Fetch, _ failure: FetchFailure) async -> Int {
        let runs = Watched(0)
        let result = await test.run([.retry], fetch) { fetch throws(FetchFailure) in
            runs.increase()
            fetch.attempt.change { $0.isAdmitted = true }
            throw failure
        }
        #expect(result.text == failure.result)
        return runs.current
    }

    @Test(
        "A failure that may pass leads to three tries, any other to one",
        arguments: [
            (FetchFailure.transfer(.unreachable), 3), (.answered(503), 3), (.answered(500), 3), (.answered(404), 1),
            (.answered(401), 1), (.transfer(.tooSlow), 1), (.unusable("it is HTML"), 1), (.suspended(seconds: 1), 1),
            // Longer than the time left.
            (.answered(503, retryAfter: 700), 1),
        ])
    func failures(failure: FetchFailure, tries: Int) async throws {
        let test = try Self.test()
        defer { test.stop() }
        #expect(await Self.tries(test, test.fetch(), failure) == tries)
    }

    @Test("The retries are limited to the saved ones", arguments: [(0, 1), (1, 2), (2, 3)])
    func budget(saved: Int, tries: Int) async throws {
        let test = try Self.test(saved: saved)
        defer { test.stop() }
        #expect(await Self.tries(test, test.fetch(), .answered(503)) == tries)
    }

    @Test("There is no retry as long as another upstream can be asked")
    func notLast() async throws {
        let test = try Self.test()
        defer { test.stop() }
        #expect(await Self.tries(test, test.fetch(isLast: false), .answered(503)) == 1)
    }

    @Test(
        "Tries after a request that was sent are marked, so that they save no retries",
        arguments: [(true, [false, true, true]), (false, [false, false, false])])
    func marked(isAdmitted: Bool, expected: [Bool]) async throws {
        let (test, marks) = (try Self.test(), Watched<[Bool]>([]))
        defer { test.stop() }
        let result = await test.run([.retry], test.fetch()) { fetch throws(FetchFailure) in
            fetch.attempt.change { $0.isAdmitted = isAdmitted }
            let count = marks.update { marks -> Int in
                marks.append(fetch.attempt.isExtra)
                return marks.count
            }
            if count < 3 { throw .answered(503) }
            return test.found("new")
        }
        #expect(result.text == "new")
        #expect(marks.current == expected)
    }

    @Test("If a retry is refused before it is sent, the client gets the upstream's answer and the retry is given back")
    func refused() async throws {
        let (test, runs) = (try Self.test(saved: 1), Watched(0))
        defer { test.stop() }
        let result = await test.run([.retry], test.fetch()) { fetch throws(FetchFailure) in
            if runs.increase() > 1 { throw .suspended(seconds: 1) }
            fetch.attempt.change { $0.isAdmitted = true }
            throw .answered(503)
        }
        #expect(result.text == "503")
        #expect(runs.current == 2)
        #expect(test.state.retries.withLock { $0.takeRetry() })
        #expect(!test.state.retries.withLock { $0.takeRetry() })
    }
}
