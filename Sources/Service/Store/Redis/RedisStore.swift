public import EventLoop
import HTTPCore
import Synchronization
public import Operations

/// The store that replicas share in one Redis, with a connection for each event loop.
///
/// Keys are digests, and values are documents as the cache keeps them, so Redis holds no keys of upstreams.
public final class RedisStore: SharedStore {
    /// The time for which the fence of a document outlives the document: longer than a request to an upstream.
    private static let fenceMilliseconds = 600_000
    /// A replica that waits looks at the lease again after a tenth of the time that it has waited, within these bounds.
    private static let shortestPause = Duration.milliseconds(10), longestPause = Duration.milliseconds(100)

    private let prefix: String
    /// The name of this process in the store.
    private let replica = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    private let probeKeys: [String]
    private let links: [ShardBound<RedisLink>]
    private let figures: RedisFigures

    /// A store for shards, whose indices count from 0.
    public init(_ settings: RedisSettings, on shards: [Shard], log: Log) {
        prefix = settings.names
        probeKeys = settings.probeKeys
        let figures = RedisFigures(shards: shards.count, log)
        self.figures = figures
        links = shards.map { ShardBound(RedisLink(settings, figures, on: $0), to: $0) }
    }

    /// Begins to connect; the shards must run.
    public func start() { for link in links { link.post { $0.connect() } } }

    /// Ends all connections; calls under way fail.
    public func stop() { for link in links { link.post { $0.stop() } } }

    /// Whether Redis has answered lately; while it has not, every call fails at once.
    package func isReachable(on shard: Shard) -> Bool { !figures.isLost(at: shard.index) }

    /// Whether every event loop has a connection and an answer lately, and the time of the last answer in milliseconds; with
    /// `detail`, why Redis was lost last.
    package var state: (isReachable: Bool, lastMilliseconds: Double?, detail: String?) { figures.summary }

    /// The metrics of all event loops: `weir_shared_*`.
    package static let table: [Figure<RedisStore>] = RedisFigures.table.of { $0.figures }

    /// Returns the value of a key; nil if there is none.
    nonisolated(nonsending) public func value(
        _ key: String, on shard: Shard
    ) async throws(SharedFault) -> [UInt8]? {
        switch try await send(RedisCommand(["GET", name("d", key)]), as: .value, on: shard) {
        case .bytes(let bytes): return bytes
        case .null: return nil
        default: throw .refused("PROTOCOL")
        }
    }

    /// Keeps a value for a time, unless a lease with a later fence has written the key.
    nonisolated(nonsending) public func keep(
        _ value: [UInt8], _ key: String, milliseconds: Int, fence: UInt64, on shard: Shard
    ) async throws(SharedFault) {
        let times = ["\(milliseconds)", "\(milliseconds + Self.fenceMilliseconds)"]
        let reply = try await run(
            .keep, [name("d", key), name("f", key), name("l", key)], ["\(fence)"] + times, value: value, on: shard)
        if reply != .integer(1) { throw .superseded }
    }

    nonisolated(nonsending) package func lease(
        _ key: String, milliseconds: Int, fence: UInt64?, on shard: Shard
    ) async throws(SharedFault) -> SharedLease {
        let reply = try await run(
            .lease, [name("l", key), prefix + "fence"], ["\(milliseconds)", "\(fence ?? 0)"], on: shard)
        let numbers = try reply.integers(2)
        guard numbers[1] > 0 else { throw .refused("PROTOCOL") }
        return numbers[0] == 1
            ? .granted(fence: UInt64(numbers[1])) : .held(milliseconds: min(numbers[1], milliseconds))
    }

    nonisolated(nonsending) package func release(
        _ key: String, fence: UInt64, on shard: Shard
    ) async throws(SharedFault) {
        _ = try await run(.release, [name("l", key)], ["\(fence)"], on: shard)
    }

    nonisolated(nonsending) package func change(
        of key: String, until end: MonotonicTime, on shard: Shard
    ) async throws(SharedFault) -> Bool {
        let begin = MonotonicTime.now
        var lease: (fence: Int, end: MonotonicTime)?
        while true {
            let asked = MonotonicTime.now
            do throws(SharedFault) {
                let numbers = try await run(.change, [name("l", key)], [], on: shard).integers(2)
                guard numbers[1] > 0, numbers[0] == lease?.fence ?? numbers[0] else {
                    // The lease of a replica that has died is there until its end.
                    return lease.map { .now < $0.end } ?? true
                }
                lease = (numbers[0], asked + .milliseconds(numbers[1]))
            } catch {
                // One late answer ends no wait; after three of them, the store counts as away.
                guard error == .timeout, lease != nil, isReachable(on: shard) else { throw error }
            }
            let pause = min(max((.now - begin) / 10, Self.shortestPause), Self.longestPause)
            let wake = min(.now + pause, end)
            guard wake > .now else { return false }
            do { try await Task.sleep(for: wake - .now) } catch { throw SharedFault.cancelled }
        }
    }

    nonisolated(nonsending) package func allot(
        _ count: Int, of quota: String, windows: [SharedWindow], epoch: Int, on shard: Shard
    ) async throws(SharedFault) -> SharedAllotment {
        let numbers = windows.map { [$0.limit, $0.start, $0.known, $0.unasked, $0.counted] }
        let arguments =
            ["\(count)", "\(epoch)", replica]
            + zip(windows, numbers).flatMap { [$0.period.rawValue] + $1.map { "\($0)" } }
        let reply = try await run(.allot, [name("q", quota), prefix + "epoch"], arguments, on: shard)
        // Other programs can write any number.
        let answer = try reply.integers(4 + windows.count).map { min(max($0, 0), 1 << 52) }
        return SharedAllotment(
            granted: answer[0] == count ? count : 0, used: answer[4...].map { min($0, 1 << 32) },
            milliseconds: min(answer[1], 1 << 40) * 1000 + answer[2] / 1000, epoch: answer[3])
    }

    nonisolated(nonsending) package func spend(
        _ spendings: [SharedSpending], on shard: Shard
    ) async throws(SharedFault) -> [Int] {
        let arguments = spendings.flatMap { ["\($0.microseconds)", "\($0.most)"] }
        let reply = try await run(.spend, spendings.map { name("c", $0.name) }, arguments, on: shard)
        return zip(try reply.integers(spendings.count), spendings).map { min(max($0, 0), $1.most) }
    }

    /// Asks Redis to write, as the service does.
    nonisolated(nonsending) package func probe(on shard: Shard) async throws(SharedFault) {
        _ = try await run(.probe, probeKeys, [], on: shard)
    }

    /// The key of a kind: document, fence, lease, quota or client.
    func name(_ kind: String, _ key: String) -> String { prefix + kind + ":" + SecureHash.sha256(of: key) }

    /// Runs a script; Redis gets its text only if Redis does not know its digest.
    nonisolated(nonsending) private func run(
        _ script: RedisScript, _ keys: [String], _ arguments: [String], value: [UInt8]? = nil, on shard: Shard
    ) async throws(SharedFault) -> RedisReply {
        let rest = ["\(keys.count)"] + keys + arguments
        let call = RedisCommand(["EVALSHA", script.digest] + rest, value: value)
        let reply = try await send(call, as: script.operation, on: shard)
        guard reply.errorCode != nil else { return reply }
        let whole = RedisCommand(["EVAL", script.source] + rest, value: value)
        return try await send(whole, as: script.operation, on: shard)
    }

    nonisolated(nonsending) private func send(
        _ command: RedisCommand, as operation: RedisOperation, on shard: Shard
    ) async throws(SharedFault) -> RedisReply {
        let link = links[shard.index]
        return try await withCheckedContinuation { continuation in
            link.run { $0.submit(command, as: operation) { continuation.resume(returning: $0) } }
        }.get()
    }
}
