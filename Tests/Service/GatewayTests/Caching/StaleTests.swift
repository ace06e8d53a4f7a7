import EventLoop
import TestSupport
import Testing

@testable import Gateway
@testable import Proxy

/// What clients get when the upstream is slow, fails or has no calls left.
@Suite("Stale documents", .timeLimit(.minutes(10)))
struct StaleTests {
    private static let cache = """
        "weather": {"defaultSeconds": 60, "staleWhileRevalidateSeconds": 0, "staleIfErrorSeconds": 600}
        """

    @Test("A stale document serves while it is refreshed once")
    func refresh() async throws {
        let upstream = try CountingUpstream(headers: ["Cache-Control: max-age=60, stale-while-revalidate=30"])
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL]).run { service throws in
            #expect(try service.get(place).temperature == 1)
            service.hands.move(seconds: 70)
            let stale = try service.get(place)
            #expect(try stale.temperature == 1)
            #expect(stale.cacheStatus.hasPrefix("Weir; fwd=stale"))
            #expect(stale.header("Age") == "70")
            #expect(upstream.upstream.waitForRequests(2))
            // The refreshed document replaces the stale one soon.
            let next = Watched(1)
            while try service.get(place).temperature == 1 { next.update { $0 += 1 } }
            #expect(try service.get(place).temperature == 2)
            service.hands.move(seconds: 91)
            #expect(try service.get(place).temperature == 3)
        }
        #expect(upstream.requests == 3)
    }

    @Test("A dead upstream is not noticed as long as stale documents may serve, and is asked as soon as it is back")
    func outage() async throws {
        let isDead = Watched(false)
        let upstream = try CountingUpstream { _, _ in isDead.current ? .close : nil }
        defer { upstream.stop() }
        let breaker = #", "breaker": {"minimumRequests": 1000000}"#
        try await CachedService([upstream.baseURL], cache: Self.cache, upstream: breaker).run { service throws in
            #expect(try service.get(place).temperature == 1)
            isDead.update { $0 = true }
            for age in stride(from: 61, to: 660, by: 60) {
                service.hands.move(seconds: age == 61 ? 61 : 60)
                let answer = try service.get(place)
                #expect(answer.status == 200)
                #expect(answer.cacheStatus.hasPrefix("Weir; fwd=stale"))
                #expect(answer.header("Age") == "\(age)")
                #expect(try answer.temperature == 1)
            }
            // Another form of the stale document, too.
            #expect(try service.get(place + "&units=us").status == 200)
            service.hands.move(seconds: 60)
            #expect(try service.get(place).status == 502)
            isDead.update { $0 = false }
            let answer = try service.get(place)
            #expect(answer.status == 200)
            #expect(try answer.temperature ?? 0 > 1)
            #expect(answer.header("Age") == nil)
        }
    }

    @Test(
        "With a stale document, Cache-Status says what the upstream answered",
        arguments: [
            (.answer(503, "{}"), "; fwd-status=503"), (.answer("<html>"), "; fwd-status=200"), (.close, ""),
        ] as [(ScriptedUpstream.Reaction, String)])
    func failedRefresh(_ reaction: ScriptedUpstream.Reaction, _ status: String) async throws {
        let hasFailed = Watched(false)
        let upstream = try CountingUpstream { _, _ in hasFailed.current ? reaction : nil }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], cache: Self.cache).run { service throws in
            #expect(try service.get(place).temperature == 1)
            hasFailed.update { $0 = true }
            service.hands.move(seconds: 100)
            let answer = try service.get(place)
            #expect(try answer.temperature == 1)
            #expect(answer.cacheStatus == #"Weir; fwd=stale\#(status); ttl=-40; detail="the upstream failed""#)
        }
    }

    @Test("With its breaker open, an upstream that was down is asked again at once, however long that was")
    func restart() async throws {
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        // The time of an upstream that fails otherwise.
        let breaker =
            #", "breaker": {"minimumRequests": 1, "openMilliseconds": 3600000}"#
        try await CachedService([upstream.baseURL], cache: Self.cache, upstream: breaker).run { service throws in
            #expect(try service.get(place).temperature == 1)
            service.hands.move(seconds: 61)
            upstream.stop()
            // A problem of the upstream itself, not of the breaker, is a probe.
            var probes = 0
            while probes < 4 {
                #expect(try service.get(place).cacheStatus.hasPrefix("Weir; fwd=stale"))
                if try service.get("/weather?lat=1&lon=1").text.contains("cannot be used") { probes += 1 }
            }
            let next = try CountingUpstream(port: upstream.upstream.port) { number, _ in .answer(forecast(number + 1)) }
            defer { next.stop() }
            while try service.get(place).temperature == 1 {}
            #expect(try service.get(place).temperature ?? 0 > 1)
        }
    }

    @Test("With an open breaker, a full queue or a spent quota, stale documents serve")
    func refusals() async throws {
        let upstream = try CountingUpstream()
        defer { upstream.stop() }
        let quota = #", "quota": {"perDay": 1}"#
        try await CachedService([upstream.baseURL], cache: Self.cache, upstream: quota).run { service throws in
            #expect(try service.get(place).temperature == 1)
            service.hands.move(seconds: 100)
            for _ in 0..<3 {
                let answer = try service.get(place)
                #expect(try answer.temperature == 1)
                #expect(answer.cacheStatus == #"Weir; fwd=stale; ttl=-40; detail="the upstream failed""#)
            }
            service.hands.move(seconds: 600)
            for target in ["/weather?lat=1&lon=1", place] {
                let answer = try service.get(target)
                #expect(answer.status == 503)
                // The upstream was not asked.
                #expect(answer.header("Cache-Status") == nil)
            }
            service.hands.move(seconds: 86_400)
            #expect(try service.get(place).temperature == 2)
        }
        #expect(upstream.requests == 2)
    }

    @Test("Of a silent upstream, one client is held up; later ones get the stale document at once")
    func silence() async throws {
        let isSilent = Watched(false)
        let upstream = try CountingUpstream { _, _ in isSilent.current ? .stall : nil }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], cache: Self.cache, deadline: 1500).run { service throws in
            #expect(try service.get(place).temperature == 1)
            isSilent.update { $0 = true }
            service.hands.move(seconds: 61)
            #expect(try service.get(place).cacheStatus.hasPrefix("Weir; fwd=stale"))
            let start = MonotonicTime.now
            for _ in 0..<20 {
                let answer = try service.get(place)
                #expect(try answer.temperature == 1)
                #expect(answer.cacheStatus.hasPrefix("Weir; fwd=stale"))
            }
            // Each that waited would take 1.5 seconds.
            #expect(MonotonicTime.now - start < .milliseconds(20 * 1500 / 2))
            #expect(upstream.requests <= 4)
            isSilent.update { $0 = false }
            while try service.get(place).temperature == 1 {}
        }
    }

    @Test("A stale document serves in another form, too, though a silent upstream has used up the time")
    func otherForm() async throws {
        let isSilent = Watched(false)
        let upstream = try CountingUpstream { _, _ in isSilent.current ? .stall : nil }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], cache: Self.cache, deadline: 1500).run { service throws in
            #expect(try service.get(place).temperature == 1)
            isSilent.update { $0 = true }
            service.hands.move(seconds: 61)
            let answer = try service.get(place + "&units=us")
            #expect(answer.status == 200)
            #expect(answer.cacheStatus.hasPrefix("Weir; fwd=stale"))
        }
    }

    @Test("An upstream that cannot be reached any longer is noticed as a 503 when no stale document may serve")
    func unreachable() async throws {
        let upstream = try CountingUpstream()
        try await CachedService([upstream.baseURL], cache: Self.cache).run { service throws in
            #expect(try service.get(place).temperature == 1)
            upstream.stop()
            for seconds in [61, 599] {
                service.hands.move(seconds: seconds - (seconds == 61 ? 0 : 61))
                #expect(try service.get(place).cacheStatus.hasPrefix("Weir; fwd=stale"))
            }
            service.hands.move(seconds: 100)
            #expect(try service.get(place).status == 503)
        }
    }

    @Test("With an open breaker or a full queue, stale documents serve")
    func refusedAtOnce() async throws {
        let isSilent = Watched(false)
        let upstream = try CountingUpstream { _, head in
            if head.contains("/1,1") { return .stall }
            return isSilent.current ? .close : nil
        }
        defer { upstream.stop() }
        let settings = #", "breaker": {"minimumRequests": 2}, "maximumConcurrent": 1, "maximumWaitMilliseconds": 0"#
        try await CachedService([upstream.baseURL], cache: Self.cache, upstream: settings, shards: 1).run {
            service throws in
            #expect(try service.get(place).temperature == 1)
            service.hands.move(seconds: 61)
            let other = try RawClient(service.address, seconds: 60)
            other.send("GET /weather?lat=1&lon=1 HTTP/1.1\r\nHost: weir.test\r\n\r\n")
            #expect(upstream.upstream.waitForRequests(2))
            // The only place is taken, and nobody may wait for it.
            #expect(try service.get(place).cacheStatus.hasPrefix("Weir; fwd=stale"))
            #expect(upstream.requests == 2)
            other.close()
            #expect(upstream.upstream.waitForNoConnection())
            isSilent.update { $0 = true }
            for _ in 0..<3 { #expect(try service.get(place).cacheStatus.hasPrefix("Weir; fwd=stale")) }
            let before = upstream.requests
            #expect(try service.get(place).cacheStatus.hasPrefix("Weir; fwd=stale"))
            #expect(upstream.requests == before)
        }
    }

    @Test(
        "An unreachable upstream, a 500, HTML and a document without its fields lead to the stale document",
        arguments: [
            (500, "{}"), (503, "no"), (200, "<html>"), (200, #"{"latitude":1}"#), (429, "{}"), (401, "{}"),
        ])
    func failures(_ status: Int, _ body: String) async throws {
        let upstream = try CountingUpstream { number, _ in number == 1 ? nil : .answer(status, body) }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], cache: Self.cache).run { service throws in
            #expect(try service.get(place).temperature == 1)
            service.hands.move(seconds: 61)
            let answer = try service.get(place)
            #expect(try answer.temperature == 1)
            #expect(answer.cacheStatus.hasPrefix("Weir; fwd=stale"))
            #expect(answer.header("Age") == "61")
        }
    }

    @Test(
        "A document that the upstream has no longer, or that it forbids to use stale, is not served",
        arguments: [(404, "max-age=60", 404), (500, "max-age=60, must-revalidate", 502)])
    func forbidden(_ status: Int, _ control: String, _ expected: Int) async throws {
        let upstream = try CountingUpstream(headers: ["Cache-Control: \(control)"]) { number, _ in
            number == 1 ? nil : .answer(status, "{}")
        }
        defer { upstream.stop() }
        try await CachedService([upstream.baseURL], cache: Self.cache).run { service throws in
            #expect(try service.get(place).temperature == 1)
            service.hands.move(seconds: 61)
            let answer = try service.get(place)
            #expect(answer.status == expected)
            #expect(answer.cacheStatus.hasPrefix("Weir; fwd=stale; fwd-status=\(status)"))
        }
    }

    @Test("If the first upstream fails, a fresh document of the second one goes before a stale one of the first")
    func failover() async throws {
        let isDead = Watched(false)
        let first = try CountingUpstream { _, _ in isDead.current ? .close : nil }
        let second = try CountingUpstream { number, _ in isDead.current ? .answer(forecast(20 + number)) : .close }
        defer {
            first.stop()
            second.stop()
        }
        try await CachedService([first.baseURL, second.baseURL], cache: Self.cache).run { service throws in
            #expect(try service.get(place).temperature == 1)
            isDead.update { $0 = true }
            service.hands.move(seconds: 61)
            #expect(try service.get(place).temperature == 21)
            #expect(try service.get(place).temperature == 21)
            #expect(second.requests == 1)
            // Back again, the first one goes before what is kept of the second.
            isDead.update { $0 = false }
            #expect(try service.get(place).temperature ?? 21 < 20)
        }
    }
}
