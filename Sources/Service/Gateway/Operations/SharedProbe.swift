import Cache
import Configuration
import EventLoop
import Records
import Redis
import Telemetry

extension UpstreamProbe.Outcome {
    /// Connects to Redis and asks for a key, for `weir check --probe`.
    static func shared(_ settings: RedisSettings, on shard: Shard) async -> Self {
        var settings = settings
        // The first call waits for the connection.
        settings.timeout += .seconds(3)
        let log = Log()
        log.setLeastLevel(.error)
        let store = RedisStore(settings, on: [shard], log: log)
        defer { store.stop() }
        let name = Configuration.schema.path(of: \.shared)
        return await Task(executorPreference: shard) {
            do throws(SharedFault) {
                for _ in 0..<2 { _ = try await store.value("probe", on: shard) }
                let tenths = ((store.state.lastMilliseconds ?? 0) * 10).rounded(.down) / 10
                return Self(text: "\(name): Redis answers in \(tenths) ms", isUnusable: false)
            } catch {
                return Self(text: "\(name): failed: \(store.state.detail ?? error.label)", isUnusable: true)
            }
        }.value
    }
}
