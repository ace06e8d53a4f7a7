@testable import Store
import EventLoop
import Operations
import TestSupport

/// A store on one event loop, as a replica has it.
struct StoreTest {
    let shard: Shard
    let store: RedisStore
    /// The lines of the log.
    let lines: Watched<[String]>

    /// A store that connects to Redis; the time for a command is long enough for a busy machine.
    init(_ settings: RedisSettings, timeout: Duration = .seconds(5)) throws {
        var settings = settings
        settings.timeout = timeout
        let lines = Watched<[String]>([])
        self.lines = lines
        let writer = LineWriter("test", maximumBytes: 1 << 20) { bytes in
            lines.update { $0 += String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init) }
            return true
        }
        shard = try Shard(index: 0)
        store = RedisStore(settings, on: [shard], log: Log(writer: writer))
        shard.start()
        store.start()
    }

    /// Runs `body` on the event loop.
    func run<Result: Sendable>(
        _ body: @escaping @Sendable (RedisStore, Shard) async throws -> Result
    ) async throws -> Result {
        let (store, shard) = (store, shard)
        return try await Task(executorPreference: shard) { try await body(store, shard) }.value
    }

    func value(_ key: String) async throws -> [UInt8]? {
        try await run { store, shard in try await store.value(key, on: shard) }
    }

    /// Keeps a value for a minute, with a lease.
    func keep(_ value: [UInt8], _ key: String) async throws {
        try await run { store, shard in
            let fence = try await store.granted(key, milliseconds: 60_000, on: shard)
            try await store.keep(value, key, milliseconds: 60_000, fence: fence, on: shard)
        }
    }

    /// Waits for a line of the log with these texts; returns nil after a time-out.
    func line(_ texts: String...) -> String? {
        lines.wait { lines in lines.first { line in texts.allSatisfy { line.contains($0) } } }
    }

    /// The metrics of the store.
    var metrics: String { String(decoding: RedisStore.table.text(of: store), as: UTF8.self) }

    /// The calls with a result, as the metrics count them.
    func calls(_ command: String, _ result: String) -> Int {
        let labels = "{command=\"\(command)\",result=\"\(result)\"} "
        let line = metrics.split(separator: "\n").first { $0.contains(labels) }
        return line?.split(separator: " ").last.flatMap { Int($0) } ?? 0
    }

    func stop() {
        store.stop()
        shard.stop()
    }
}

extension RedisStore {
    /// Takes a lease that no replica has, and returns its fence.
    nonisolated(nonsending) func granted(
        _ key: String, milliseconds: Int, on shard: Shard
    ) async throws -> UInt64 {
        let lease = try await lease(key, milliseconds: milliseconds, fence: nil, on: shard)
        guard case .granted(let fence) = lease else { throw Failure("\(lease)") }
        return fence
    }
}

extension SharedLease {
    var heldMilliseconds: Int? { if case .held(let milliseconds) = self { milliseconds } else { nil } }
}
