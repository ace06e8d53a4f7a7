import Store
import Settings
import EventLoop
import Records
import Operations

extension UpstreamProbe.Outcome {
    /// Connects to Redis and runs the probe, for `weir check --probe`.
    static func shared(_ settings: RedisSettings, on shard: Shard) async -> Self {
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
