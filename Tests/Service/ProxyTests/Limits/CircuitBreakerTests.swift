import EventLoop
import HTTPClient
import Testing

@testable import Proxy

struct CircuitBreakerTests {
    /// A breaker with a clock in milliseconds, whose changing methods can be called within an expectation.
    private final class Breaker {
        private let start = MonotonicTime.now
        private var breaker: CircuitBreaker

        init() {
            var limits = CircuitBreaker.Limits()
            (limits.minimumRequests, limits.maximumOpenTime) = (4, .seconds(5))
            breaker = CircuitBreaker(limits)
        }

        /// Returns the permit of an admitted request and the change of state; nil if it is refused.
        func admit(_ now: Int) -> (permit: CircuitBreaker.Permit, change: CircuitBreaker.Change?)? {
            switch breaker.admit(at: start + .milliseconds(now)) {
            case .admitted(let permit, let change): return (permit, change)
            case .refused(let seconds):
                #expect(breaker.refusal(at: start + .milliseconds(now)) == seconds)
                return nil
            }
        }

        func refusal(_ now: Int) -> Int? { breaker.refusal(at: start + .milliseconds(now)) }

        func note(
            _ verdict: CircuitBreaker.Verdict, _ permit: CircuitBreaker.Permit, _ now: Int
        ) -> CircuitBreaker.Change? {
            breaker.note(verdict, permit, at: start + .milliseconds(now))
        }

        /// Makes a request whose outcome is known at once.
        @discardableResult
        func request(_ verdict: CircuitBreaker.Verdict, _ now: Int) throws -> CircuitBreaker.Change? {
            note(verdict, try #require(admit(now)).permit, now)
        }

        /// Opens the breaker at `now`.
        func open(_ now: Int) throws {
            for _ in 1...3 { #expect(try request(.failure, now) == nil) }
            #expect(try request(.failure, now) == .opened(seconds: 1))
        }

        func update(_ limits: CircuitBreaker.Limits) { breaker.update(limits) }
    }

    @Test func itStaysClosedBelowTheMinimumOfRequests() throws {
        let breaker = Breaker()
        for _ in 1...3 { #expect(try breaker.request(.failure, 0) == nil) }
        #expect(breaker.refusal(0) == nil)
    }

    @Test func itStaysClosedBelowTheRatioOfFailures() throws {
        let breaker = Breaker()
        for number in 1...99 { #expect(try breaker.request(number % 3 == 0 ? .failure : .success, number) == nil) }
    }

    @Test func itOpensAtTheRatioOfFailures() throws {
        let breaker = Breaker()
        for verdict in [CircuitBreaker.Verdict.success, .success, .failure] {
            #expect(try breaker.request(verdict, 0) == nil)
        }
        #expect(try breaker.request(.failure, 0) == .opened(seconds: 1))
        #expect(breaker.admit(999) == nil)
        #expect(breaker.refusal(999) == 1)
    }

    @Test func requestsWithoutAVerdictDoNotCount() throws {
        let breaker = Breaker()
        for _ in 1...99 { #expect(try breaker.request(.none, 0) == nil) }
        for _ in 1...3 { #expect(try breaker.request(.failure, 0) == nil) }
        #expect(breaker.refusal(0) == nil)
    }

    @Test func failuresOutsideOfTheWindowDoNotCount() throws {
        let breaker = Breaker()
        for _ in 1...3 { try breaker.request(.failure, 0) }
        #expect(try breaker.request(.failure, 11_100) == nil)
        for time in [12_000, 13_000] { #expect(try breaker.request(.failure, time) == nil) }
        #expect(try breaker.request(.failure, 14_000) == .opened(seconds: 1))
    }

    @Test func afterItsTimeOneProbeIsAdmittedAndOthersAreRefused() throws {
        let breaker = Breaker()
        try breaker.open(0)
        #expect(breaker.admit(999) == nil)
        let probe = try #require(breaker.admit(1000))
        #expect(probe.change == .halfOpened)
        #expect(breaker.admit(1000) == nil)
        #expect(breaker.refusal(9000) == 1)
    }

    @Test func aProbeThatSucceedsClosesIt() throws {
        let breaker = Breaker()
        try breaker.open(0)
        #expect(try breaker.request(.success, 1000) == .closed)
        // With an empty window: the failures before do not count.
        for _ in 1...3 { #expect(try breaker.request(.failure, 1001) == nil) }
        #expect(try breaker.request(.failure, 1002) == .opened(seconds: 1))
    }

    @Test func aProbeThatFailsOpensItForTwiceTheTimeUpToAMaximum() throws {
        let breaker = Breaker()
        try breaker.open(0)
        var now = 1000
        for seconds in [2, 4, 5, 5] {
            #expect(try breaker.request(.failure, now) == .opened(seconds: seconds))
            #expect(breaker.refusal(now) == seconds)
            now += seconds * 1000
            #expect(breaker.admit(now - 1) == nil)
        }
        #expect(try breaker.request(.success, now) == .closed)
        for _ in 1...3 { try breaker.request(.failure, now) }
        #expect(try breaker.request(.failure, now) == .opened(seconds: 1))
    }

    @Test func anUpstreamThatRefusesConnectionsOpensItForAMomentAndIsNotedOnce() throws {
        let breaker = Breaker()
        for _ in 1...3 { #expect(try breaker.request(.unreachable, 0) == nil) }
        #expect(try breaker.request(.unreachable, 0) == .opened(seconds: 1))
        for now in [50, 100, 150] {
            #expect(breaker.admit(now - 1) == nil)
            let probe = try #require(breaker.admit(now))
            #expect(probe.change == nil)
            // One at a time.
            #expect(breaker.admit(now) == nil)
            #expect(breaker.note(.unreachable, probe.permit, now) == nil)
        }
        #expect(try breaker.request(.success, 200) == .closed)
    }

    @Test func theTimeOfAnUpstreamThatFailedStartsAnewOnceItRefusesConnections() throws {
        let breaker = Breaker()
        try breaker.open(0)
        #expect(try breaker.request(.failure, 1000) == .opened(seconds: 2))
        #expect(try breaker.request(.unreachable, 3000) == .opened(seconds: 1))
        // It answers again, but with errors.
        #expect(try breaker.request(.failure, 3050) == .opened(seconds: 2))
        #expect(breaker.admit(5049) == nil)
        #expect(try #require(breaker.admit(5050)).change == .halfOpened)
    }

    @Test func anOpeningShorterThanAMomentStaysShort() throws {
        var limits = CircuitBreaker.Limits()
        (limits.minimumRequests, limits.openTime) = (1, .milliseconds(10))
        let breaker = Breaker()
        breaker.update(limits)
        #expect(try breaker.request(.unreachable, 0) == .opened(seconds: 1))
        #expect(breaker.admit(9) == nil)
        #expect(breaker.admit(10) != nil)
    }

    @Test func aProbeWithoutAVerdictIsFollowedByAnother() throws {
        let breaker = Breaker()
        try breaker.open(0)
        #expect(try breaker.request(.none, 1000) == nil)
        #expect(breaker.refusal(1000) == nil)
        #expect(try #require(breaker.admit(1000)).change == .halfOpened)
    }

    @Test func lateVerdictsOfEarlierRequestsAreIgnored() throws {
        let breaker = Breaker()
        let late = try (1...3).map { _ in try #require(breaker.admit(0)).permit }
        try breaker.open(0)
        #expect(breaker.note(.success, late[0], 10) == nil)
        #expect(breaker.refusal(10) == 1)
        let probe = try #require(breaker.admit(1000)).permit
        #expect(breaker.note(.failure, late[1], 1001) == nil)
        #expect(breaker.note(.success, probe, 1002) == .closed)
        #expect(breaker.note(.failure, late[2], 1003) == nil)
        #expect(breaker.note(.failure, probe, 1004) == nil)
    }

    @Test func newLimitsDoNotCloseIt() throws {
        let breaker = Breaker()
        try breaker.open(0)
        breaker.update(CircuitBreaker.Limits())
        #expect(breaker.admit(999) == nil)
        #expect(try breaker.request(.success, 1000) == .closed)
        for _ in 1...19 { #expect(try breaker.request(.failure, 1000) == nil) }
        #expect(try breaker.request(.failure, 1000) != nil)
    }

    @Test(
        arguments: [
            (.transfer(.unreachable), .unreachable), (.transfer(.tooSlow), .failure),
            (.transfer(.connectTimedOut), .failure), (.transfer(.unknownHost), .failure),
            (.transfer(.cancelled), .none),
            (.transfer(.queueFull), .none), (.unusable("it is HTML"), .failure), (.unread, .none),
            (.status(500, meaning: nil, message: nil, retryAfter: nil), .failure),
            (.status(302, meaning: nil, message: nil, retryAfter: nil), .failure),
            (.status(408, meaning: nil, message: nil, retryAfter: nil), .failure),
            (.status(429, meaning: nil, message: nil, retryAfter: 7), .failure),
            (.status(400, meaning: 429, message: nil, retryAfter: 7), .failure),
            (.status(400, meaning: nil, message: nil, retryAfter: nil), .success),
            (.status(404, meaning: nil, message: nil, retryAfter: nil), .success),
            (.status(200, meaning: 404, message: nil, retryAfter: nil), .success),
            (.suspended(seconds: 1), .none), (.overloaded("full"), .none),
            (.spent(SpentQuota(limit: nil, seconds: 1)), .none),
        ] as [(FetchFailure, CircuitBreaker.Verdict)])
    func aFailureHasAVerdict(_ failure: FetchFailure, _ verdict: CircuitBreaker.Verdict) {
        #expect(failure.verdict == verdict)
    }
}
