import Settings
import API
import EventLoop
import HTTPClient
import HTTPCore
import Records
import TestSupport
import Testing

@testable import Proxy

@Suite("The choice among upstreams", .timeLimit(.minutes(10)))
struct FailoverTests {
    /// What an upstream does with the question.
    enum Reaction: Sendable {
        case answers
        case fails(FetchFailure)
        /// It fails, and there is a stale document of it.
        case failsWithStale(FetchFailure)
        /// It fails after this number of seconds.
        case failsAfter(Int)
    }

    /// An upstream with a name, and its reaction to a question.
    private static func candidate(
        _ name: String, _ reaction: Reaction, _ test: StageTest, asked: Watched<[FetchContext]>
    ) -> Candidate {
        var configuration = UpstreamConfiguration()
        configuration.name = name
        let upstream = Upstream(configuration, baseURL: "http://localhost", credentials: .none, log: test.log)
        return Candidate(upstream) { context throws(FetchFailure) in
            asked.update { $0.append(context) }
            switch reaction {
            case .answers: return Answer(test.document(.ok, name), of: upstream)
            case .fails(let failure): throw failure
            case .failsWithStale(let failure):
                context.trace.note(Answer(test.document(.ok, "stale"), of: upstream), test.fetch())
                throw failure
            case .failsAfter(let seconds):
                test.time.move(seconds: seconds)
                throw .answered(500)
            }
        }
    }

    /// What a question at upstreams with these reactions has led to.
    private struct Outcome {
        var result: Answer?
        var problem: Problem?
        /// The contexts in which the upstreams were asked.
        var asked: [FetchContext]
        var log: [Substring]

        init(_ reactions: [Reaction]) async throws {
            let (test, asked) = (try StageTest(), Watched<[FetchContext]>([]))
            defer { test.stop() }
            let candidates = reactions.enumerated().map { index, reaction in
                FailoverTests.candidate("\(index + 1)", reaction, test, asked: asked)
            }
            let context = ShardContext(test.shard, client: Client(on: test.shard), clock: test.time.clock)
            let call = ClientCall(
                Request(target: try RequestTarget("/weather")), nil, context, trace: nil, edition: 1)
            let failover = Failover(deadline: .seconds(5), log: test.log)
            do throws(Problem) {
                result = try await failover.answer(candidates, to: call)
            } catch {
                problem = error
            }
            (self.asked, log) = (asked.current, test.logLines)
        }
    }

    @Test("Upstreams are asked in order until one answers")
    func order() async throws {
        let outcome = try await Outcome([
            .fails(.transfer(.unreachable)), .fails(.suspended(seconds: 9)), .answers, .answers,
        ])
        #expect(outcome.result?.upstream.name == "3")
        #expect(outcome.result?.failed == ["1", "2"])
        #expect(outcome.asked.count == 3)
        #expect(outcome.asked.map(\.isLast) == [false, false, false])
        // The breaker has logged why it suspends an upstream.
        let failures = outcome.log.compactMap {
            $0.firstMatch(of: /"message":"upstream failed".*"upstream":"([0-9])"/)?.1
        }
        #expect(failures == ["1"])
    }

    @Test("Refusals of a full queue have one line each second, with their number")
    func refusals() async throws {
        let (test, asked) = (try StageTest(), Watched<[FetchContext]>([]))
        defer { test.stop() }
        let candidates = [Self.candidate("1", .fails(.transfer(.queueFull)), test, asked: asked)]
        let context = ShardContext(test.shard, client: Client(on: test.shard), clock: test.time.clock)
        let failover = Failover(deadline: .seconds(5), log: test.log)
        for milliseconds in [0, 0, 0, 999, 1, 1000] {
            test.time.move(milliseconds: milliseconds)
            let request = Request(target: try RequestTarget("/weather"))
            let call = ClientCall(request, nil, context, trace: nil, edition: 1)
            await #expect(throws: Problem.self) { _ = try await failover.answer(candidates, to: call) }
        }
        let counts = test.logLines.map { $0.firstMatch(of: /"count":([0-9]+)/)?.1 ?? "1" }
        #expect(counts == ["1", "4", "1"])
    }

    @Test("Only the answer of the upstream that is asked first is the first choice, whatever the failure before names")
    func firstChoice() async throws {
        #expect(try await Outcome([.answers, .answers]).result?.isFirstChoice == true)
        // The problem of a client that takes only kept documents names no upstream.
        let second = try await Outcome([.fails(.notInCache), .answers]).result
        #expect(second?.failed == [])
        #expect(second?.isFirstChoice == false)
    }

    @Test("The last upstream may use all the time that is left, and those before it a share")
    func shares() async throws {
        let outcome = try await Outcome([.fails(.unread), .fails(.unread), .fails(.unread)])
        #expect(outcome.asked.map(\.isLast) == [false, false, true])
        let ends = outcome.asked.map { $0.end - $0.now }
        #expect(ends[0] == .seconds(2.5))
        #expect(ends[1] < ends[2])
        #expect(ends[2] == .seconds(5))
    }

    @Test(
        "If all upstreams fail, the client gets the most informative problem",
        arguments: [
            ([Reaction.fails(.transfer(.unreachable)), .fails(.answered(404))], 404, nil),
            ([.fails(.transfer(.tooSlow)), .fails(.unusable("it is HTML"))], 502, nil),
            ([.fails(.suspended(seconds: 30)), .fails(.suspended(seconds: 10))], 503, 10),
            ([.fails(.transfer(.unreachable)), .fails(.transfer(.tooSlow))], 504, nil),
            // Nobody is asked after the time is over, or after the client has left.
            ([.failsAfter(5), .fails(.answered(404))], 504, nil),
            ([.fails(.transfer(.cancelled)), .fails(.answered(404))], 503, 5),
        ])
    func problem(reactions: [Reaction], status: Int, retryAfter: Int?) async throws {
        let outcome = try await Outcome(reactions)
        #expect(outcome.problem?.status.code == status)
        #expect(outcome.problem?.retryAfter == retryAfter)
    }

    @Test(
        "A stale document serves after the last upstream has failed",
        arguments: [
            ([Reaction.failsWithStale(.answered(500)), .fails(.unread)], "1", ["1", "2"]),
            ([.fails(.unread), .failsWithStale(.answered(500))], "2", ["1", "2"]),
            ([.failsWithStale(.answered(500)), .failsWithStale(.unread)], "1", ["1", "2"]),
            ([.failsWithStale(.answered(500)), .answers], "2", ["1"]),
        ])
    func stale(reactions: [Reaction], upstream: String, failed: [String]) async throws {
        let outcome = try await Outcome(reactions)
        #expect(outcome.result?.upstream.name == upstream)
        #expect(outcome.result?.failed == failed)
    }
}
