import EventLoop
import Foundation
import Operations
import TestSupport
import Testing

@testable import Gateway
@testable import Settings
@testable import Proxy

/// A service in this process whose time of day the test moves.
final class CachedService: Sendable {
    /// The time of day.
    final class Hands: Sendable {
        private let milliseconds = Watched(1_800_000_000_000)

        var clock: Clock { Clock(now: { .now }, milliseconds: { [milliseconds] in milliseconds.current }) }

        /// The time in unix seconds.
        var now: Int { milliseconds.current / 1000 }

        func move(seconds: Int) { milliseconds.update { $0 += seconds * 1000 } }
    }

    let hands: Hands
    let address: String
    private let service: Service

    /// Starts a service with the settings of `cache`, whose upstreams are asked for weather in their order.
    ///
    /// `adjust` changes what is no setting.
    convenience init(
        _ upstreams: [String], cache: String = "", upstream: String = "", deadline: Int = 10_000, shards: Int = 2,
        server: String = #""drainTimeoutMilliseconds": 300"#, path: String = "test.json", hands: Hands = Hands(),
        shared: SharedReplicas? = nil, adjust: (inout Configuration) -> Void = { _ in }
    ) throws {
        let entries = upstreams.enumerated().map { index, url in
            """
            {"name": "upstream-\(index)", "dialect": "darkSky", "baseURL": "\(url)", "key": {"environment": "PATH"},
             "deadlineMilliseconds": \(deadline), "retryPercent": 0\(upstream)}
            """
        }
        let names = upstreams.indices.map { "\"upstream-\($0)\"" }.joined(separator: ",")
        try self.init(
            """
            "shards": \(shards), "fetching": {"deadlineMilliseconds": \(deadline)}, "cache": {\(cache)},
            "upstreams": [\(entries.joined(separator: ","))], "weather": {"upstreams": [\(names)]}
            """, server: server, path: path, hands: hands, shared: shared, adjust: adjust)
    }

    /// Starts a service with these settings.
    init(
        _ settings: String, server: String = #""drainTimeoutMilliseconds": 300"#, path: String = "test.json",
        hands: Hands = Hands(), shared: SharedReplicas? = nil, adjust: (inout Configuration) -> Void = { _ in }
    ) throws {
        let text = """
            {"listen": "127.0.0.1:0", "server": {"accessLog": {"format": "none"}, \(server)},
             \(settings)}
            """
        let file = ConfigurationFile(path: path, bytes: Array(text.utf8))
        self.hands = hands
        var configuration = try file.configuration()
        adjust(&configuration)
        service = try Service(configuration, from: file, log: Log(), shared: shared, clock: hands.clock)
        address = "\(service.address)"
        service.start()
    }

    func stop() async { _ = await service.drain() }

    func get(_ target: String, headers: [String] = []) throws -> RawAnswer {
        let client = try RawClient(address)
        defer { client.close() }
        return try client.get(target, headers: headers)
    }

    /// Waits until nothing is being fetched.
    func settle() {
        let isSettled = Watched(false)
        Task { [service] in
            await service.registry.cache.coalesced.settle(until: .now + .seconds(60), on: service.shards[0])
            isSettled.update { $0 = true }
        }
        _ = isSettled.wait(seconds: 60) { $0 ? true : nil }
    }

    /// Runs `body` beside the service on a thread of its own, and stops the service.
    func run<Value: Sendable>(_ body: @escaping @Sendable (CachedService) throws -> Value) async throws -> Value {
        let result: Result<Value, any Error> = await WorkQueue("cache").run { Result { try body(self) } }
        await stop()
        return try result.get()
    }
}

/// Returns a forecast with this temperature, in the default units of `/weather`.
func forecast(_ temperature: Int, summary: String = "Clear") -> String {
    """
    {"latitude":37.8267,"longitude":-122.4233,"timezone":"America/Los_Angeles",\
    "currently":{"time":1800000000,"summary":"\(summary)","temperature":\(temperature)},"flags":{"units":"si"}}
    """
}

/// The target of a forecast.
let place = "/weather?lat=37.8267&lon=-122.4233"

extension RawAnswer {
    /// The temperature in an answer with a forecast.
    var temperature: Int? { get throws { try json()["currently"]["temperature"].integer } }
    var cacheStatus: String { header("Cache-Status") ?? "" }
}

/// An upstream that counts its requests and answers them with a forecast of that temperature.
final class CountingUpstream: Sendable {
    let upstream: ScriptedUpstream
    private let count = Watched(0)

    /// `react` gets the number of the request, from 1, and its head; nil answers with a forecast.
    init(
        port: UInt16 = 0, headers: [String] = [],
        _ react: @escaping @Sendable (Int, String) -> ScriptedUpstream.Reaction? = { _, _ in nil }
    ) throws {
        upstream = try ScriptedUpstream(port: port) { [count] head in
            let number = count.increase()
            return react(number, head) ?? .answer(forecast(number), headers: headers)
        }
    }

    var baseURL: String { upstream.baseURL }
    var requests: Int { upstream.requests.count }
    func stop() { upstream.stop() }
}
