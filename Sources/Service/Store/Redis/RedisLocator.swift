import EventLoop
import HTTPCore

/// Finds the addresses of Redis: of its host name, or of the master that the sentinels name.
struct RedisLocator: Sendable {
    let settings: RedisSettings
    /// The number of the sentinel to ask first; numbers beyond the last one begin again.
    let first: Int

    /// Returns numeric addresses, in the order in which to try them.
    nonisolated(nonsending) func locate(on shard: Shard) async throws(RedisEnding) -> [SocketAddress] {
        guard let sentinel = settings.sentinel else { return try await resolve(settings.address, on: shard) }
        var last = RedisEnding(.unreachable, "there are no sentinels")
        for number in sentinel.addresses.indices {
            let address = sentinel.addresses[(first + number) % sentinel.addresses.count]
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
        do throws(Resolver.Failure) {
            let end = MonotonicTime.now + RedisConnection.connectTimeout
            return try await Resolver.shared.addresses(of: host, notOlderThan: .seconds(1), until: end, on: shard)
                .list.map { .network(host: $0, port: port) }
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
        let greeting = sentinel.password.map { [RedisGreeting.authenticate(nil, $0)] } ?? []
        let result: Result<RedisReply, RedisEnding> = await withCheckedContinuation { continuation in
            RedisConnection(
                to: numeric, settings, host: address, greeting: greeting + [.ping, .master(sentinel.master)], on: shard
            ) { connection, event in
                connection.close()
                switch event {
                case .ready(let reply), .reply(let reply): continuation.resume(returning: .success(reply))
                case .ended(let ending): continuation.resume(returning: .failure(ending))
                }
            }.start()
        }
        guard case .array(let parts) = try result.get(), parts.count == 2, let host = parts[0].text,
            let port = parts[1].text.flatMap({ UInt16($0) })
        else { throw RedisEnding(.unreachable, "the sentinel at \(address) knows no master with this name") }
        return .network(host: host, port: port)
    }
}
