import EventLoop
import HTTPCore
import Synchronization
import Testing

@testable import Proxy

/// The states of an upstream's token, at given moments.
@Suite("Tokens")
struct BearerTokensTests {
    private static let start = MonotonicTime.now
    private static let (one, two) = (credentials("one"), credentials("two"))
    private static let fault = TokenFault(endpoint: "e", reason: .unusable("it is HTML"))

    private static func credentials(_ secret: String) -> Credentials {
        .oauth2(ClientCredentials(tokenURL: "https://a/t", id: Secret("id"), secret: Secret(secret), scope: nil))
    }

    private static func token(_ value: String, lifetime: Int? = 1000, at seconds: Double = 0) -> BearerToken {
        BearerToken(
            Secret(value), scrubber: KeyScrubber([]), lifetime: lifetime, now: start + .seconds(seconds))
    }

    /// The step of a request, with the token's value if it has one.
    private static func step(
        _ tokens: BearerTokens, _ credentials: Credentials = one, at seconds: Double
    ) -> (text: String, flight: BearerTokens.Renewal?) {
        func text(_ token: BearerToken) -> String { token.value.withExposedText { $0 } }
        return switch tokens.step(for: credentials, now: start + .seconds(seconds)) {
        case .use(let token): (text(token), nil)
        case .useAndRenew(let token, let flight): ("\(text(token)), fetch", flight)
        case .wait(let flight): ("wait", flight)
        case .fetch(let flight): ("fetch", flight)
        case .fail(let fault): ("fail\(fault.seconds.map { ", \($0)" } ?? "")", nil)
        }
    }

    /// Ends the flight that the next request begins.
    private static func fetch(
        _ tokens: BearerTokens, _ outcome: BearerTokens.Outcome, at seconds: Double = 0
    ) throws {
        let flight = try #require(step(tokens, at: seconds).flight)
        tokens.finish(flight, outcome, one, now: start + .seconds(seconds))
    }

    @Test("One request fetches the token, the others wait for it and then use it")
    func flight() async throws {
        let (tokens, shard) = (BearerTokens(), try Shard(index: 0))
        shard.start()
        defer { shard.stop() }
        let first = Self.step(tokens, at: 0)
        #expect(first.text == "fetch")
        let other = Self.step(tokens, at: 1)
        #expect(other.text == "wait")
        #expect(first.flight === other.flight)
        let flight = try #require(first.flight)
        async let waiting = flight.wait(until: .now + .seconds(600), on: shard)
        tokens.finish(flight, .success(Self.token("a")), Self.one, now: Self.start)
        #expect(try await waiting?.get().value == Secret("a"))
        #expect(try await flight.wait(until: .now, on: shard)?.get().value == Secret("a"))
        #expect(Self.step(tokens, at: 899).text == "a")
    }

    @Test("A token is renewed while it is used, and not used in its last seconds")
    func expiry() throws {
        let tokens = BearerTokens()
        try Self.fetch(tokens, .success(Self.token("a")))
        // A tenth of the lifetime is longer than a minute.
        #expect(Self.step(tokens, at: 939).text == "a")
        let renewal = Self.step(tokens, at: 941)
        #expect(renewal.text == "a, fetch")
        #expect(Self.step(tokens, at: 969).text == "a")
        #expect(Self.step(tokens, at: 971).text == "wait")
        tokens.finish(
            try #require(renewal.flight), .success(Self.token("b", at: 971)), Self.one,
            now: Self.start + .seconds(971))
        #expect(Self.step(tokens, at: 972).text == "b")
        // Twitter's tokens have no end.
        let endless = BearerTokens()
        try Self.fetch(endless, .success(Self.token("a", lifetime: nil)))
        #expect(Self.step(endless, at: 1e9).text == "a")
    }

    @Test("A token without a lifetime is asked for at most once a second", arguments: [0, -5, 1])
    func shortest(lifetime: Int) throws {
        let tokens = BearerTokens()
        try Self.fetch(tokens, .success(Self.token("a", lifetime: lifetime)))
        #expect(Self.step(tokens, at: 0).text == "a")
        #expect(Self.step(tokens, at: 0.99).text == "a")
        #expect(Self.step(tokens, at: 1).text == "fetch")
    }

    @Test("A renewal that fails is repeated after a second, and a pause that the endpoint demands is kept")
    func failures() throws {
        let tokens = BearerTokens()
        try Self.fetch(tokens, .success(Self.token("a")))
        try Self.fetch(tokens, .failure(Self.fault), at: 941)
        #expect(Self.step(tokens, at: 941.9).text == "a")
        #expect(Self.step(tokens, at: 942.1).text == "a, fetch")
        let busy = BearerTokens()
        func refuse(_ seconds: Int, at moment: Double) throws {
            let reason = TokenFault.Reason.status(429, code: nil, retryAfter: seconds)
            try Self.fetch(busy, .failure(TokenFault(endpoint: "e", reason: reason)), at: moment)
        }
        try refuse(30, at: 0)
        // Those who come later learn what is left of the pause.
        #expect(Self.step(busy, at: 0).text == "fail, 30")
        #expect(Self.step(busy, at: 10.5).text == "fail, 20")
        #expect(Self.step(busy, at: 29.9).text == "fail, 1")
        try refuse(100_000, at: 31)
        #expect(Self.step(busy, at: 31).text == "fail, 900")
        #expect(Self.step(busy, at: 931 - 1).text == "fail, 1")
        #expect(Self.step(busy, at: 931 + 1).text == "fetch")
        let broken = BearerTokens()
        try Self.fetch(broken, .failure(Self.fault))
        #expect(Self.step(broken, at: 0.1).text == "fetch")
    }

    @Test("A failure counts for the request that began the one to the endpoint, and for no other")
    func verdicts() throws {
        let tokens = BearerTokens()
        let reason = TokenFault.Reason.status(429, code: nil, retryAfter: 30)
        let fault = TokenFault(endpoint: "e", reason: reason)
        try Self.fetch(tokens, .failure(fault))
        guard case .fail(let later) = tokens.step(for: Self.one, now: Self.start) else {
            Issue.record("no failure")
            return
        }
        let verdicts = [fault, fault.shared, later].map { FetchFailure.token($0).verdict }
        #expect(verdicts == [.failure, .none, .none])
    }

    @Test("A request after the end of a token and a failure asks the endpoint again")
    func failureAfterTheEnd() throws {
        let tokens = BearerTokens()
        try Self.fetch(tokens, .success(Self.token("a")))
        try Self.fetch(tokens, .failure(Self.fault), at: 2000)
        #expect(Self.step(tokens, at: 2000).text == "fetch")
    }

    @Test("After two failures one request at a time asks the endpoint, with pauses, and the others fail at once")
    func severalFailures() throws {
        let tokens = BearerTokens()
        func fail(from start: Double, to end: Double) throws {
            let flight = try #require(Self.step(tokens, at: start).flight)
            tokens.finish(flight, .failure(Self.fault), Self.one, now: Self.start + .seconds(end))
        }
        try fail(from: 0, to: 5)
        let second = Self.step(tokens, at: 5)
        #expect(second.text == "fetch")
        #expect(Self.step(tokens, at: 6).text == "wait")
        tokens.finish(try #require(second.flight), .failure(Self.fault), Self.one, now: Self.start + .seconds(10))
        #expect(Self.step(tokens, at: 14.9).text == "fail")
        let third = Self.step(tokens, at: 15.1)
        #expect(third.text == "fetch")
        #expect(Self.step(tokens, at: 16).text == "fail")
        tokens.finish(try #require(third.flight), .failure(Self.fault), Self.one, now: Self.start + .seconds(20.1))
        #expect(Self.step(tokens, at: 30).text == "fail")
        try fail(from: 30.2, to: 35.2)
        try fail(from: 55.3, to: 60.3)
        // The longest pause.
        #expect(Self.step(tokens, at: 90).text == "fail")
        try Self.fetch(tokens, .success(Self.token("a")), at: 90.4)
        #expect(Self.step(tokens, at: 91).text == "a")
        // Another endpoint or client begins anew.
        #expect(Self.step(tokens, Self.two, at: 92).text == "fetch")
        #expect(Self.step(tokens, Self.two, at: 93).text == "wait")
    }

    @Test("A refused token is replaced, once a second at most")
    func refusals() throws {
        let tokens = BearerTokens()
        func refuse(_ value: String, at seconds: Double) -> Bool {
            tokens.refuse(Secret(value), now: Self.start + .seconds(seconds))
        }
        try Self.fetch(tokens, .success(Self.token("a")))
        #expect(refuse("a", at: 0.1))
        // Those who come later learn that it is being replaced.
        #expect(refuse("a", at: 0.2))
        try Self.fetch(tokens, .success(Self.token("b")), at: 1)
        #expect(refuse("a", at: 1.1))
        #expect(!refuse("b", at: 1.9))
        #expect(Self.step(tokens, at: 1.9).text == "b")
        #expect(refuse("b", at: 2.1))
        #expect(Self.step(tokens, at: 2.1).text == "fetch")
    }

    @Test("Other credentials get another token, and the outcome of an older flight does not count")
    func credentials() throws {
        let tokens = BearerTokens()
        let flight = try #require(Self.step(tokens, at: 0).flight)
        #expect(Self.step(tokens, Self.two, at: 1).text == "fetch")
        tokens.finish(flight, .success(Self.token("a")), Self.one, now: Self.start)
        #expect(Self.step(tokens, Self.two, at: 1).text == "wait")
        #expect(Self.step(tokens, Self.one, at: 2).text == "fetch")
        // A flight that found new credentials has their token.
        let other = BearerTokens()
        let second = try #require(Self.step(other, at: 0).flight)
        other.noteRenewal(second)
        #expect(Self.step(other, Self.two, at: 0).text == "wait")
        other.finish(second, .success(Self.token("b")), Self.two, now: Self.start)
        #expect(Self.step(other, Self.two, at: 1).text == "b")
    }

    @Test("A token that is made without a transfer is made once for each lifetime")
    func made() {
        let tokens = BearerTokens()
        let count = Mutex(0)
        func token(_ credentials: Credentials, at seconds: Double) -> Secret {
            tokens.token(for: credentials, now: Self.start + .seconds(seconds)) {
                Self.token("\(count.withLock { $0 += 1; return $0 })", lifetime: 100, at: seconds)
            }.value
        }
        #expect([token(Self.one, at: 0), token(Self.one, at: 89)] == [Secret("1"), Secret("1")])
        #expect([token(Self.one, at: 91), token(Self.two, at: 92)] == [Secret("2"), Secret("3")])
    }

    @Test("A task waits for a result until its end or its cancellation")
    func waiting() async throws {
        let shard = try Shard(index: 0)
        shard.start()
        defer { shard.stop() }
        let result = Promise<Int>()
        #expect(await result.wait(until: .now + .milliseconds(1), on: shard) == nil)
        let task = Task { await result.wait(until: .now + .seconds(600), on: shard) }
        task.cancel()
        #expect(await task.value == nil)
        let others = (0..<100).map { _ in Task { await result.wait(until: .now + .seconds(600), on: shard) } }
        result.finish(7)
        for task in others { #expect(await task.value == 7) }
    }
}

extension TokenFault {
    /// The seconds of its Retry-After.
    fileprivate var seconds: Int? {
        if case .status(_, _, let seconds) = reason { return seconds }
        return nil
    }
}
