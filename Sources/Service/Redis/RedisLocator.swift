import Cache
import EventLoop
import HTTPClient

/// Finds the addresses of Redis: of its host name, or of the master that the sentinels name.
struct RedisLocator: Sendable {
    let settings: RedisSettings

    /// Returns numeric addresses, in the order in which to try them.
    nonisolated(nonsending) func locate(on shard: Shard) async throws(RedisEnding) -> [SocketAddress] {
        guard let sentinel = settings.sentinel else { return try await resolve(settings.address, on: shard) }
        var last = RedisEnding(.unreachable, "there are no sentinels")
        for address in sentinel.addresses {
            do throws(RedisEnding) {
                return try await resolve(try await master(sentinel, at: address, on: shard), on: shard)
            } catch {
                last = error
            }
        }
        throw last
    }

    nonisolated(nonsending) private func resolve(
        _ address: SocketAddress, on shard: Shard
    ) async throws(RedisEnding) -> [SocketAddress] {
        guard case .network(let host, let port) = address else { return [address] }
        do throws(TransferError) {
            let end = MonotonicTime.now + RedisConnection.connectTimeout
            return try await Resolver.shared.numericAddresses(of: host, until: end, on: shard)
                .map { .network(host: $0, port: port) }
        } catch {
            throw RedisEnding(.unreachable, "the host name of \(address) has no address")
        }
    }

    nonisolated(nonsending) private func master(
        _ sentinel: RedisSentinel, at address: SocketAddress, on shard: Shard
    ) async throws(RedisEnding) -> SocketAddress {
        guard let numeric = try await resolve(address, on: shard).first else {
            throw RedisEnding(.unreachable, "the host name of \(address) has no address")
        }
        let result = await withCheckedContinuation { continuation in
            let question = RedisQuestion(RedisCommand("SENTINEL", "get-master-addr-by-name", sentinel.master)) {
                continuation.resume(returning: $0)
            }
            question.ask(numeric, host: address, sentinel, settings, on: shard)
        }
        guard case .array(let parts) = try result.get(), parts.count == 2, let host = parts[0].text,
            let port = parts[1].text.flatMap({ UInt16($0) })
        else { throw RedisEnding(.unreachable, "the sentinel at \(address) knows no master with this name") }
        return .network(host: host, port: port)
    }
}

/// One command on a connection of its own.
private final class RedisQuestion: RedisConnectionOwner {
    private let command: RedisCommand
    private let finish: (Result<RedisReply, RedisEnding>) -> Void
    private var connection: RedisConnection?

    init(_ command: RedisCommand, _ finish: @escaping (Result<RedisReply, RedisEnding>) -> Void) {
        (self.command, self.finish) = (command, finish)
    }

    func ask(
        _ address: SocketAddress, host: SocketAddress, _ sentinel: RedisSentinel, _ settings: RedisSettings,
        on shard: Shard
    ) {
        let greeting = sentinel.password.map { [RedisGreeting.authenticate(nil, $0)] } ?? []
        let connection = RedisConnection(
            to: address, settings, host: host, greeting: greeting + [.ping], on: shard, owner: self)
        self.connection = connection
        connection.start()
        shard.schedule(at: .now + RedisConnection.connectTimeout) { [self] in
            end(.failure(RedisEnding(.timeout, "the sentinel at \(host) does not answer in time")))
        }
    }

    private func end(_ result: Result<RedisReply, RedisEnding>) {
        guard let connection else { return }
        self.connection = nil
        connection.close()
        finish(result)
    }

    func connectionIsReady(_ connection: RedisConnection) { connection.send(command) }

    func connection(_ connection: RedisConnection, received reply: RedisReply) { end(.success(reply)) }

    func connection(_ connection: RedisConnection, ended ending: RedisEnding) { end(.failure(ending)) }
}
