import Settings
import EventLoop
import HTTPClient
import HTTPCore
import Operations
import Testing

@testable import Proxy

/// What the metrics count as tries at an upstream.
@Suite("Counted tries", .timeLimit(.minutes(10)))
struct TryCountsTests {
    @Test(
        "A failure is a word, or a status that is often seen",
        arguments: [
            (.status(500, meaning: 404, message: nil, retryAfter: nil), "500"),
            (.status(302, meaning: nil, message: nil, retryAfter: nil), "redirect"),
            (.transfer(.redirect(.otherHost)), "redirect"), (.transfer(.tlsFailed(.expired)), "tls"),
            (.transfer(.proxyTLSFailed(.expired)), "tls"),
            (.status(304, meaning: nil, message: nil, retryAfter: nil), "unusable"),
            (.status(299, meaning: nil, message: nil, retryAfter: nil), "_OTHER"),
            (.status(-1, meaning: nil, message: nil, retryAfter: nil), "_OTHER"),
        ] as [(FetchFailure, String)])
    func label(_ failure: FetchFailure, _ label: String) {
        #expect(failure.label == label)
    }

    @Test(
        "A failure of a token endpoint is a word, or a status that is often seen",
        arguments: [
            (.status(401, code: nil, retryAfter: nil), "401"), (.status(302, code: nil, retryAfter: nil), "redirect"),
            (.status(299, code: nil, retryAfter: nil), "_OTHER"), (.unusable("it is empty"), "unusable"),
        ] as [(TokenFault.Reason, String)])
    func tokenLabel(_ reason: TokenFault.Reason, _ label: String) {
        #expect(reason.label == label)
    }

    @Test(
        "A request whose client has left before it begins is no try, and one without time counts against nobody",
        arguments: [true, false])
    func notSent(isCancelled: Bool) async throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        var configuration = UpstreamConfiguration()
        configuration.name = "a"
        configuration.breakerRequests = 1
        configuration.quota.perHour = 1
        let upstream = Upstream(
            configuration, baseURL: "http://host.invalid", credentials: .none, log: Log())
        let trace = FetchTrace()
        let context = FetchContext(
            client: Client(on: shard), shard: shard, clock: .system, end: .now + .seconds(isCancelled ? 20 : 0),
            trace: trace)
        let task = Task(executorPreference: shard) { () -> FetchFailure? in
            // Cancelled by itself, so that nothing runs before.
            if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
            do throws(FetchFailure) {
                try await upstream.lookUp(.lookup, "/", policy: nil, .none, in: context) { _, _ in }.value
                return nil
            } catch {
                return error
            }
        }
        let failure = await task.value
        #expect(failure?.isCancellation == isCancelled)
        #expect(trace.tries.all.map(\.sent) == (isCancelled ? [] : [0]))
        #expect(upstream.state[.lookup].figures(at: .now).tries.isEmpty == isCancelled)
        #expect(upstream.state[.lookup].refusal(at: .now) == nil)
        let (now, wallClock) = (MonotonicTime.now, Clock.system.seconds)
        #expect(upstream.state.quotas.quota(of: .lookup, now: now, wallClock: wallClock) == nil)
    }
}
