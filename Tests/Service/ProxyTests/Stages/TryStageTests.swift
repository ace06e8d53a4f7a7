import Settings
import EventLoop
import HTTPClient
import HTTPCore
import Operations
import TestSupport
import Testing

@testable import Proxy

@Suite("The stage that notes tries", .timeLimit(.minutes(10)))
struct TryStageTests {
    /// A stage that cancels its task.
    private static let cancellation = Stage { fetch, next throws(FetchFailure) in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await next(fetch)
    }

    @Test(
        "The log and the metrics name how a try ended",
        arguments: [
            (nil, "200", "200"), (FetchFailure.answered(503), "503", "503"),
            (.transfer(.tooSlow), "it did not answer in time", "timeout"),
            (.unusable("it is HTML"), "unusable", "unusable"),
            (.suspended(seconds: 1), "suspended", "suspended"),
        ])
    func noted(failure: FetchFailure?, inLog: String, inMetrics: String) async throws {
        let test = try StageTest()
        defer { test.stop() }
        let fetch = test.fetch()
        let result = await test.run([.try], fetch) { fetch throws(FetchFailure) in
            #expect(fetch.context.trace.tries.all.map(\.result) == ["under way"])
            fetch.attempt.change { ($0.bytes, $0.sent, $0.isReused) = (7, 2, true) }
            test.time.move(seconds: 3)
            if let failure { throw failure }
            return test.found("new")
        }
        #expect(result.text == failure?.result ?? "new")
        let tries = fetch.context.trace.tries.all
        #expect(tries.map(\.result) == [inLog])
        #expect(tries.map(\.upstream) == ["sample"])
        #expect(tries.map(\.requests) == ["forecast"])
        #expect(tries.map(\.milliseconds) == [3000])
        #expect(tries.map(\.bytes) == [7])
        #expect(tries.map(\.sent) == [2])
        #expect(tries.map(\.isReused) == [true])
        let figures = test.state.kindStates.map { $0.state.figures(at: .now) } + [test.state.tokenFigures]
        let counts = figures.flatMap { kind in kind.tries.sorted.map { "\(kind.name) \($0.result) \($0.count)" } }
        #expect(counts == ["forecast \(inMetrics) 1"])
    }

    @Test("A definite answer that there is no document is noted as what the upstream has answered")
    func absence() async throws {
        let test = try StageTest()
        defer { test.stop() }
        let fetch = test.fetch()
        _ = await test.run([.try], fetch) { _ in
            Answer(test.document(.notFound, failure: .answered(404)), of: test.upstream)
        }
        #expect(fetch.context.trace.tries.all.map(\.result) == ["404"])
    }

    @Test("A try ends with the time of the client or that of one try", arguments: [(20, 5), (3, 3)])
    func end(ofClient seconds: Int, expected: Int) async throws {
        let (test, ends) = (try StageTest { $0.deadlineMilliseconds = 5000 }, Watched<[Duration]>([]))
        defer { test.stop() }
        _ = await test.run([.try], test.fetch(seconds: seconds)) { fetch in
            ends.update { $0.append(fetch.end - test.time.now) }
            return test.found("new")
        }
        #expect(ends.current == [.seconds(expected)])
    }

    @Test("There is no try for a client that has left")
    func cancelled() async throws {
        let (test, runs) = (try StageTest(), Watched(0))
        defer { test.stop() }
        let fetch = test.fetch()
        let result = await test.run([Self.cancellation, .try], fetch) { _ in
            runs.increase()
            return test.found("new")
        }
        #expect(result.failure?.isCancellation == true)
        #expect(fetch.context.trace.tries.all.isEmpty)
        #expect(runs.current == 0)
    }
}
