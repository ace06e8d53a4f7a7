import Testing

@testable import Proxy

struct AttemptPolicyTests {
    private static func pause(
        _ failure: AttemptPolicy.Failure, tries: Int = 1, left: Duration = .seconds(60), random: Double = 0.5
    ) -> Duration? {
        AttemptPolicy().pause(after: failure, tries: tries, left: left, random: random)
    }

    @Test(arguments: [400, 401, 403, 404, 409, 410, 422, 431, 451, 200, 204, 301, 304, 501, 505])
    func aDefiniteStatusIsFinal(_ status: Int) {
        #expect(Self.pause(.status(status, retryAfter: nil)) == nil)
        #expect(Self.pause(.status(status, retryAfter: 1)) == nil)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func aTemporaryStatusIsTriedAgain(_ status: Int) {
        #expect(Self.pause(.status(status, retryAfter: nil)) == .milliseconds(50))
    }

    @Test func onlyConnectionsThatBrokeAreTriedAgain() {
        #expect(Self.pause(.connection) == .milliseconds(50))
        #expect(Self.pause(.final) == nil)
    }

    /// From 0 to a maximum that doubles, and at most three tries.
    @Test func thePauseHasFullJitter() {
        #expect(Self.pause(.connection, random: 0) == .zero)
        #expect(Self.pause(.connection, random: 0.99) == .milliseconds(99))
        #expect(Self.pause(.connection, tries: 2, random: 0.99) == .milliseconds(198))
        #expect(Self.pause(.connection, tries: 3) == nil)
        var patient = AttemptPolicy()
        patient.maximumTries = 100
        #expect(patient.pause(after: .connection, tries: 50, left: .seconds(60), random: 1) == .seconds(1))
    }

    @Test func thePauseIsNotShorterThanRetryAfter() {
        #expect(Self.pause(.status(503, retryAfter: 3), random: 0) == .seconds(3))
        #expect(Self.pause(.status(429, retryAfter: 0), random: 0.5) == .milliseconds(50))
    }

    @Test func nothingIsTriedPastTheDeadline() {
        #expect(Self.pause(.connection, left: .milliseconds(50)) == nil)
        #expect(Self.pause(.connection, left: .milliseconds(51)) == .milliseconds(50))
        #expect(Self.pause(.status(503, retryAfter: 60), left: .seconds(60)) == nil)
        #expect(Self.pause(.connection, left: .zero, random: 0) == nil)
        #expect(Self.pause(.connection, left: .seconds(-1), random: 0) == nil)
    }

    @Test(arguments: [(20, 1000, 200), (20, 4, 0), (0, 1000, 0), (5, 100, 5), (19, 1000, 190)])
    func retriesAreAPartOfTheRequests(_ percent: Int, _ requests: Int, _ retries: Int) {
        var budget = RetryBudget(percent: percent)
        var taken = 0
        for _ in 0..<requests {
            budget.noteRequest()
            while budget.takeRetry() { taken += 1 }
        }
        #expect(taken == retries)
    }

    /// Ten are remembered at most, so that an end of the repetitions is noticed.
    @Test(arguments: [(0, 5), (1, 10), (10, 55), (1000, 55)])
    func retriesThatWereMadeWithoutAskingLeaveFewer(_ made: Int, _ needed: Int) {
        var budget = RetryBudget(percent: 20)
        budget.noteRetries(made)
        var requests = 0
        while requests < 100, !budget.takeRetry() {
            budget.noteRequest()
            requests += 1
        }
        #expect(requests == needed)
    }

    @Test func aRetryThatIsReturnedCanBeTakenAgain() {
        var budget = RetryBudget(percent: 100)
        budget.noteRequest()
        var taken = 0
        for _ in 1...5 where budget.takeRetry() {
            taken += 1
            budget.returnRetry()
        }
        #expect(taken == 5)
        for _ in 1...20 { budget.returnRetry() }
        taken = 0
        while budget.takeRetry() { taken += 1 }
        #expect(taken == 10)
    }

    @Test("Second requests leave half of the retries that can be saved")
    func hedges() {
        var budget = RetryBudget(percent: 100)
        for _ in 1...10 { budget.noteRequest() }
        var taken = 0
        while budget.takeHedge() { taken += 1 }
        #expect(taken == 5)
        while budget.takeRetry() { taken += 1 }
        #expect(taken == 10)
    }

    @Test func noRetryIsLeftWhenRetriesAreTurnedOff() {
        var budget = RetryBudget(percent: 100)
        for _ in 0..<5 { budget.noteRequest() }
        budget.update(percent: 50)
        let before = budget.takeRetry()
        budget.update(percent: 0)
        let after = budget.takeRetry()
        #expect(before && !after)
    }

    @Test func aQuietTimeDoesNotSaveManyRetries() {
        var budget = RetryBudget(percent: 20)
        for _ in 0..<10_000 { budget.noteRequest() }
        var taken = 0
        while budget.takeRetry() { taken += 1 }
        #expect(taken == 10)
    }
}

struct HedgeDelayTests {
    /// A histogram of transfers that took 1 to `count` milliseconds.
    private static func latencies(_ count: Int) -> LatencyHistogram {
        (1...count).reduce(into: LatencyHistogram()) { $0.add(.milliseconds($1)) }
    }

    @Test func theSlowestTwentiethIsHedged() throws {
        let delay = try #require(AttemptPolicy().hedgeDelay(Self.latencies(200), left: .seconds(5)))
        #expect((.milliseconds(178)...(.milliseconds(202))).contains(delay))
    }

    @Test func nothingIsHedgedWithTooLittleKnowledgeOrTime() {
        #expect(AttemptPolicy().hedgeDelay(LatencyHistogram(), left: .seconds(5)) == nil)
        #expect(AttemptPolicy().hedgeDelay(Self.latencies(99), left: .seconds(5)) == nil)
        #expect(AttemptPolicy().hedgeDelay(Self.latencies(100), left: .seconds(5)) != nil)
        // The second request would take 50 ms after the first 95.
        #expect(AttemptPolicy().hedgeDelay(Self.latencies(100), left: .milliseconds(130)) == nil)
    }
}
