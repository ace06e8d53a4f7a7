import Settings
import Dispatch
import EventLoop
import HTTPServer
import Records
import Operations
import Proxy

/// Reads again and again how much of the container's memory is in use, and gives memory back before the kernel kills a
/// process.
final class MemoryWatch: Sendable {
    /// The percentage of the limit at which the cache has given back enough, and below which the cache may grow again.
    private static let target = 85, room = 80
    /// The time without a request after which a connection is closed.
    private static let idleTime = Duration.seconds(5)

    let limit: MemoryLimit
    let pressure: MemoryPressure
    private let cache: DocumentCache
    private let server: Server
    private let log: Log
    private let queue = DispatchQueue(label: "weir.memory")
    /// A second, or less in a small container: two event loops with nothing but misses took up 12 MB in a second, and
    /// 5 % of 64 MiB are 3 MB.
    private let interval: Double

    init(_ limit: MemoryLimit, _ registry: UpstreamRegistry, _ server: Server, _ log: Log) {
        (self.limit, pressure, cache) = (limit, registry.memory, registry.cache)
        (self.server, self.log) = (server, log)
        interval = min(1, max(0.1, Double(limit.bytes) / Double(640 << 20)))
    }

    /// Begins to read, as long as the object exists.
    func start() {
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            self?.check()
            self?.start()
        }
    }

    /// Reads how much memory is in use, and says how the sizes of `configuration` fit.
    func begin(_ configuration: Configuration) {
        check()
        let (documents, bodies) = (configuration.cache.maximumBytes, configuration.fetching.maximumBodyBytes)
        let fits = pressure.used + documents + bodies <= limit.bytes
        log.write(
            fits ? .info : .warning, fits ? "memory limit" : "sizes exceed the memory limit",
            [
                "limitBytes": limit.bytes, "usedBytes": pressure.used,
                Configuration.schema.path(of: \.cache.maximumBytes): documents,
                Configuration.schema.path(of: \.fetching.maximumBodyBytes): bodies,
            ])
    }

    private func check() {
        guard let used = limit.used() else { return }
        let before = pressure.level
        pressure.note(used: used, limit: limit.bytes)
        if pressure.level != before {
            log.write(
                pressure.level == .normal ? .info : .warning, "memory",
                ["state": "\(pressure.level)", "limitBytes": limit.bytes, "usedBytes": used])
        }
        guard pressure.level != .normal else {
            if used < limit.bytes / 100 * Self.room { cache.regrow() }
            return
        }
        server.closeIdle(for: Self.idleTime)
        let excess = used - limit.bytes / 100 * Self.target
        cache.release(excess)
        server.closeSlowest(until: max(0, server.untaken.bytes - excess))
        FreedMemory.release()
    }
}
