public import Settings
import EventLoop
import HTTPClient
import HTTPCore
import Operations
import Proxy
import Records
import Store

/// Asks each upstream of a configuration and its shared store once, for `weir check --probe`.
public enum UpstreamProbe {
    /// The outcome for one upstream.
    public struct Outcome: Sendable {
        /// A sentence with the name of the upstream, without keys: `openMeteo: 200 in 35 ms`.
        public let text: String
        /// Whether there was no answer, or the upstream refused the key.
        public let isUnusable: Bool
    }

    /// Asks the upstreams one after another, in their order.
    /// - Throws: `ConfigurationError` if a key cannot be used, `SystemError` if the system is out of descriptors.
    public static func ask(_ configuration: Configuration, in file: ConfigurationFile) async throws -> [Outcome] {
        let keys = try configuration.readKeys(in: file)
        let shard = try Shard(index: 0)
        shard.start()
        let client = Client(on: shard)
        var outcomes: [Outcome] = []
        for (settings, reading) in zip(configuration.upstreams, keys) {
            switch (reading, settings.baseURL) {
            case (.missing(let reason), _):
                outcomes.append(Outcome(text: "\(settings.name): left out: \(reason)", isUnusable: false))
            case (.credentials, nil): outcomes.append(Outcome(text: "\(settings.name): a sample", isUnusable: false))
            case (.credentials(let credentials), let baseURL?):
                let log = Log()
                log.setLeastLevel(.error)
                let upstream = Upstream(
                    settings, baseURL: baseURL, credentials: credentials, log: log,
                    connection: settings.connectionPolicy(to: baseURL, in: file),
                    tokenConnection: settings.tokenConnectionPolicy(in: file))
                let result = await Task(executorPreference: shard) {
                    await upstream.probe(
                        in: FetchContext(
                            client: client, shard: shard, clock: .system, end: .now + upstream.deadline))
                }.value
                outcomes.append(Outcome(result, of: settings.name))
            }
        }
        if let settings = try configuration.readShared(in: file) { outcomes.append(await .shared(settings, on: shard)) }
        client.stop()
        shard.stop()
        return outcomes
    }
}

extension UpstreamProbe.Outcome {
    fileprivate init(_ result: ProbeResult, of name: String) {
        isUnusable = result.isUnusable
        let time = "in \(result.milliseconds) ms"
        switch (result.failure, result.status) {
        case (nil, let status): text = "\(name): \(status.map { "\($0)" } ?? "redirected") \(time)"
        case (_?, let status?):
            text = "\(name): \(status) \(time)\(isUnusable ? ": the upstream refuses the key" : "")"
        case (let failure?, nil): text = "\(name): failed \(time) \(failure.manner)"
        }
    }

    /// Connects to Redis and runs the probe, for `weir check --probe`.
    fileprivate static func shared(_ settings: RedisSettings, on shard: Shard) async -> Self {
        var settings = settings
        let timeout = settings.timeout
        // The first call waits for the connection.
        settings.timeout += .seconds(3)
        let log = Log()
        log.setLeastLevel(.error)
        let store = RedisStore(settings, on: [shard], log: log)
        defer { store.stop() }
        let name = Configuration.schema.path(of: \.shared)
        return await Task(executorPreference: shard) {
            do throws(SharedFault) {
                try await store.probe(on: shard)
                let start = MonotonicTime.now
                try await store.probe(on: shard)
                let time = MonotonicTime.now - start
                let milliseconds = time / .milliseconds(1)
                let scale = milliseconds < 1 ? 100.0 : 10
                let rounded = (milliseconds * scale).rounded() / scale
                let addition = time > timeout ? ", slower than timeoutMilliseconds" : ""
                return Self(text: "\(name): Redis answers in \(rounded) ms\(addition)", isUnusable: false)
            } catch {
                return Self(text: "\(name): failed: \(store.state.detail ?? error.label)", isUnusable: true)
            }
        }.value
    }
}
