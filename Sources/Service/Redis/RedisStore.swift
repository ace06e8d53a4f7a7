public import Cache
public import EventLoop
import Signatures
import Synchronization
public import Telemetry

/// The store that replicas share in one Redis, with two connections for each event loop.
///
/// Keys are digests, and values are documents as the cache keeps them, so Redis holds no keys of upstreams.
public final class RedisStore: SharedStore {
    /// The time for which the fence of a document outlives the document: longer than a request to an upstream.
    private static let fenceMilliseconds = 600_000

    /// For calls, and for waits.
    package static let connectionsPerShard = 2

    private let prefix: String
    private let links: [ShardBound<RedisLink>]
    private let subscribers: [ShardBound<RedisSubscriber>]
    private let figures: [RedisFigures]
    private let log: RedisLog
    private let nextWaiter = Atomic<UInt64>(0)

    /// A store for shards, whose indices count from 0.
    public init(_ settings: RedisSettings, on shards: [Shard], log: Log) {
        prefix = settings.prefix + "v1:"
        let redisLog = RedisLog(log)
        self.log = redisLog
        let parts = shards.map { shard in
            let link = RedisLink(settings, redisLog, on: shard)
            return (link, RedisSubscriber(link, settings, on: shard), shard)
        }
        figures = parts.map(\.0.figures)
        links = parts.map { ShardBound($0, to: $2) }
        subscribers = parts.map { ShardBound($1, to: $2) }
    }

    /// Begins to connect; the shards must run.
    public func start() { for link in links { link.post { $0.connect() } } }

    /// Ends all connections; calls under way fail.
    public func stop() {
        for subscriber in subscribers { subscriber.post { $0.stop() } }
        for link in links { link.post { $0.stop() } }
    }

    /// Whether Redis has answered lately; while it has not, every call fails at once.
    package func isReachable(on shard: Shard) -> Bool { figures[shard.index].isReachable.load(ordering: .relaxed) }

    /// Whether every event loop has a connection and an answer lately, and the time of the last answer in milliseconds; with
    /// `detail`, why Redis was lost last.
    package var state: (isReachable: Bool, lastMilliseconds: Double?, detail: String?) {
        let isReachable = figures.allSatisfy {
            $0.isReachable.load(ordering: .relaxed) && $0.isConnected.load(ordering: .relaxed)
        }
        return (isReachable, figures.compactMap(\.lastMilliseconds).last, log.lastLoss)
    }

    /// Writes the figures of all event loops: `weir_shared_*`.
    package func write(to text: inout MetricsText) { RedisFigures.write(figures, to: &text) }

    /// Returns the value of a key; nil if there is none.
    nonisolated(nonsending) public func value(
        _ key: String, on shard: Shard
    ) async throws(SharedFault) -> [UInt8]? {
        switch try await send(RedisCommand("GET", name("d", key)), as: .value, on: shard) {
        case .bytes(let bytes): return bytes
        case .null: return nil
        default: throw .refused("PROTOCOL")
        }
    }

    /// Keeps a value for a time, unless a lease with a later fence has written the key.
    nonisolated(nonsending) public func keep(
        _ value: [UInt8], _ key: String, milliseconds: Int, fence: UInt64, on shard: Shard
    ) async throws(SharedFault) {
        let digest = SecureHash.sha256(of: key)
        let reply = try await run(
            .keep, [prefix + "d:" + digest, prefix + "f:" + digest, prefix + "l:" + digest],
            [
                value, Array("\(fence)".utf8), Array("\(milliseconds)".utf8),
                Array("\(milliseconds + Self.fenceMilliseconds)".utf8), Array((prefix + "c:" + digest).utf8),
            ], as: .keep, on: shard)
        if reply != .integer(1) { throw .superseded }
    }

    nonisolated(nonsending) package func lease(
        _ key: String, milliseconds: Int, on shard: Shard
    ) async throws(SharedFault) -> SharedLease {
        let reply = try await run(
            .lease, [name("l", key), prefix + "fence"], [Array("\(milliseconds)".utf8)], as: .lease, on: shard)
        guard case .array(let parts) = reply, parts.count == 2, case .integer(let number) = parts[1], number > 0 else {
            throw .refused("PROTOCOL")
        }
        return parts[0] == .integer(1) ? .granted(fence: UInt64(number)) : .held(milliseconds: number)
    }

    nonisolated(nonsending) package func release(
        _ key: String, fence: UInt64, on shard: Shard
    ) async throws(SharedFault) {
        _ = try await run(
            .release, [name("l", key)], [Array("\(fence)".utf8), Array(name("c", key).utf8)], as: .release, on: shard)
    }

    nonisolated(nonsending) package func change(
        of key: String, until end: MonotonicTime, on shard: Shard
    ) async throws(SharedFault) {
        let (channel, check) = (name("c", key), RedisCommand("PTTL", name("l", key)))
        let id = nextWaiter.wrappingAdd(1, ordering: .relaxed).newValue
        let subscriber = subscribers[shard.index]
        let fault = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                subscriber.run {
                    $0.wait(for: channel, check, id: id, until: end) { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            subscriber.post { $0.cancel(id, of: channel) }
        }
        if let fault { throw fault }
    }

    nonisolated(nonsending) package func allot(
        _ count: Int, of quota: String, windows: [SharedWindow], epoch: Int, on shard: Shard
    ) async throws(SharedFault) -> SharedAllotment {
        let arguments =
            ["\(count)", "\(epoch)"]
            + windows.flatMap { [$0.period.rawValue, "\($0.limit)", "\($0.start)", "\($0.known)", "\($0.debt)"] }
        let reply = try await run(
            .allot, [name("q", quota), prefix + "epoch"], arguments.map { Array($0.utf8) }, as: .allot, on: shard)
        guard case .array(let parts) = reply, parts.count == 4 + windows.count else { throw .refused("PROTOCOL") }
        let numbers = parts.compactMap { if case .integer(let number) = $0 { number } else { nil } }
        guard numbers.count == parts.count else { throw .refused("PROTOCOL") }
        return SharedAllotment(
            granted: numbers[0], used: Array(numbers[4...]), milliseconds: numbers[1] * 1000 + numbers[2] / 1000,
            epoch: numbers[3])
    }

    nonisolated(nonsending) package func giveBack(
        _ count: Int, of quota: String, windows: [SharedWindow], takenAt time: Int, on shard: Shard
    ) async throws(SharedFault) {
        let arguments = ["\(count)", "\(time / 1000)"] + windows.map(\.period.rawValue)
        _ = try await run(
            .giveBack, [name("q", quota)], arguments.map { Array($0.utf8) }, as: .giveBack, on: shard)
    }

    /// The key or the channel of a kind: document, fence, lease, channel or quota.
    func name(_ kind: String, _ key: String) -> String { prefix + kind + ":" + SecureHash.sha256(of: key) }

    /// Runs a script; Redis gets its text only if Redis does not know its digest.
    nonisolated(nonsending) private func run(
        _ script: RedisScript, _ keys: [String], _ arguments: [[UInt8]], as operation: RedisOperation, on shard: Shard
    ) async throws(SharedFault) -> RedisReply {
        let rest = [Array("\(keys.count)".utf8)] + keys.map { Array($0.utf8) } + arguments
        let call = RedisCommand(arguments: [Array("EVALSHA".utf8), Array(script.digest.utf8)] + rest)
        let reply = try await send(call, as: operation, on: shard)
        guard reply.errorCode != nil else { return reply }
        let whole = RedisCommand(arguments: [Array("EVAL".utf8), Array(script.source.utf8)] + rest)
        return try await send(whole, as: operation, on: shard)
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
