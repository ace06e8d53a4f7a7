import CivilDates
import EventLoop
import HTTPClient
import HTTPCore
import Synchronization
import Operations
import TestSupport
import Testing

@testable import Gateway
@testable import Settings
@testable import Proxy

/// What the service does when its clock, which a test advances, says so.
@Suite("The clock of the service", .timeLimit(.minutes(10)))
struct ClockTests {
    /// The clocks of the system, and the time by which they have been advanced.
    private final class AdvancedClock: Sendable {
        private let seconds = Atomic<Int>(0)

        func advance(seconds more: Int) { seconds.add(more, ordering: .sequentiallyConsistent) }

        var clock: Clock {
            Clock(
                now: { [self] in .now + .seconds(seconds.load(ordering: .sequentiallyConsistent)) },
                milliseconds: { [self] in
                    WallClock.milliseconds + 1000 * seconds.load(ordering: .sequentiallyConsistent)
                })
        }
    }

    private static let forecast =
        #"{"latitude":1,"longitude":2,"timezone":"UTC","currently":{"time":1,"temperature":1},"flags":{"units":"si"}}"#

    /// Runs `body` with a service that has one upstream, and with a function that returns the status of its next answer, 0 without one.
    private static func serve(
        _ clock: Clock, _ upstream: String, authorization: (_ key: String) -> String,
        _ body: (_ ask: () async -> Int) async -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let key = try folder.write("a-long-enough-key", to: "key")
        let text = """
            {"listen": "127.0.0.1:0", "shards": 1, "server": {"drainTimeoutMilliseconds": 300},
             "weather": {"upstreams": ["sky"]}, "upstreams": [
                {"name": "sky", "dialect": "darkSky", "baseURL": "\(upstream)", "retryPercent": 0,
                 \(authorization(#"{"file": "\#(key)"}"#))}]}
            """
        let file = ConfigurationFile(path: "weir.json", bytes: Array(text.utf8))
        let nowhere = LineWriter("test", maximumBytes: 1 << 20, write: { _ in true })
        let service = try Service(file.configuration(), from: file, log: Log(), output: nowhere, clock: clock)
        service.start()
        let (address, queue) = ("\(service.address)", WorkQueue("client"))
        await body { await queue.run { (try? RawClient(address).get("/weather?lat=1&lon=2").status) ?? 0 } }
        _ = await service.drain()
    }

    @Test(
        "An upstream is asked again when the time that it demanded is over, in seconds or as a date",
        arguments: [429, 503], [false, true])
    func pause(status: Int, isDate: Bool) async throws {
        let clock = AdvancedClock()
        let isBusy = Atomic(true)
        let upstream = try ScriptedUpstream { _ in
            let date = HTTPDate.format(secondsSinceEpoch: WallClock.milliseconds / 1000 + 600)
            let end = isDate ? String(decoding: date, as: UTF8.self) : "600"
            return isBusy.load(ordering: .sequentiallyConsistent)
                ? .answer(status, "{}", headers: ["Retry-After: \(end)"]) : .answer(Self.forecast)
        }
        defer { upstream.stop() }
        try await Self.serve(clock.clock, upstream.baseURL, authorization: { "\"key\": \($0)" }) { ask in
            var statuses = [await ask()]
            isBusy.store(false, ordering: .sequentiallyConsistent)
            for seconds in [300, 301] {
                clock.advance(seconds: seconds)
                statuses.append(await ask())
            }
            #expect(statuses == [status == 429 ? 429 : 502, 503, 200])
            #expect(upstream.requests.count == 2)
        }
    }

    @Test("A token is fetched again when its lifetime is over")
    func token() async throws {
        let clock = AdvancedClock()
        let endpoint = try ScriptedUpstream { _ in
            .answer(#"{"token_type":"bearer","access_token":"t","expires_in":100000}"#)
        }
        let upstream = try ScriptedUpstream { _ in .answer(Self.forecast) }
        defer {
            endpoint.stop()
            upstream.stop()
        }
        let oauth: (String) -> String = { key in
            """
            "authorization": "oauth2",
            "oauth2": {"tokenURL": "\(endpoint.baseURL)/token", "clientID": \(key), "clientSecret": \(key)}
            """
        }
        try await Self.serve(clock.clock, upstream.baseURL, authorization: oauth) { ask in
            for (seconds, count) in [(0, 1), (50_000, 1), (50_000, 2)] {
                clock.advance(seconds: seconds)
                let status = await ask()
                #expect(status == 200)
                #expect(endpoint.requests.count == count)
            }
        }
    }

    @Test("A signature has the time of the clock")
    func signature() {
        let oauth = OAuth1(
            consumerKey: Secret("a"), consumerSecret: Secret("b"), token: Secret("c"), tokenSecret: Secret("d"))
        let request = Authorization.request(for: "/b", at: "https://a", with: .oauth1(oauth), now: 1_234_567)
        let field = request.sign?().first?.value.withExposedText { $0 } ?? ""
        #expect(field.contains(#"oauth_timestamp="1234567""#))
    }

    @Test("The documents of a sample have the time of the clock")
    func sample() async throws {
        let clock = AdvancedClock()
        clock.advance(seconds: 86_400 * 30)
        let sample = try SampleUpstream(folder: Checkout.sample, clock: clock.clock)
        let address = String(sample.baseURL.dropFirst("http://".count))
        let answer = try await WorkQueue("client").run { try RawClient(address).get("/forecast/k/37.8267,-122.4233") }
        let time = try #require(try answer.json()["currently"]["time"].integer)
        #expect(abs(time - clock.clock.seconds) < 3600)
        await sample.stop()
    }
}
