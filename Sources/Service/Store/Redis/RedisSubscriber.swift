import EventLoop
import HTTPCore
import Synchronization

/// The second connection of one shard, on which callers wait for keys; open once a caller has waited; used on its shard.
final class RedisSubscriber {
    private struct Waiter {
        let check: RedisCommand
        let end: MonotonicTime
        var timer: ShardTimer
        let finish: (Result<Bool, SharedFault>) -> Void
    }

    private struct Channel {
        var waiters: [UInt64: Waiter] = [:]
        /// The subscriptions that Redis has not confirmed; several after quick changes, and only the last one holds.
        var unconfirmed = 0
    }

    private static let maximumWaiters = 4096
    /// The time without an answer after which the connection is given up.
    private static let stallTime = Duration.seconds(1)

    private let link: RedisLink
    private let settings: RedisSettings
    private let shard: Shard
    private var connection: RedisConnection?
    private var channels: [String: Channel] = [:]
    /// The waits that begin once the link has connected.
    private var early: Set<UInt64> = []
    /// When the first subscription was sent after the last answer; nil without one.
    private var silentSince: MonotonicTime?

    init(_ link: RedisLink, _ settings: RedisSettings, on shard: Shard) {
        (self.link, self.settings, self.shard) = (link, settings, shard)
    }

    /// Waits for a message of a channel, at most until `end` or the end of the lease; `finish` gets false without a message.
    ///
    /// `check` asks for how many milliseconds the lease is valid, once the subscription is confirmed: the message may have
    /// been sent before. Without a lease, there is nothing to wait for, which counts as a message; a replica that has
    /// ended sends none.
    func wait(
        for channel: String, _ check: RedisCommand, id: UInt64, until end: MonotonicTime,
        _ finish: @escaping (Result<Bool, SharedFault>) -> Void
    ) {
        guard let address = link.address else {
            // The link may be about to connect, which the check waits for.
            early.insert(id)
            return link.submit(check, as: .change) { [self] result in
                guard early.remove(id) != nil else { return finish(.failure(.cancelled)) }
                if case .failure(let fault) = result { return finish(.failure(fault)) }
                if link.address == nil { return finish(.failure(.unreachable)) }
                wait(for: channel, check, id: id, until: end, finish)
            }
        }
        if link.isSuspended { return finish(.failure(.breakerOpen)) }
        let count = channels.values.reduce(0) { $0 + $1.waiters.count }
        guard count < Self.maximumWaiters else { return finish(.failure(.queueFull)) }
        if let connection, connection.address != address { drop(.unreachable) }
        let isConnected = connection?.isReady ?? false
        // The confirmation has the time of a command, and the time of a connection if there is none.
        let limit = MonotonicTime.now + settings.timeout + (isConnected ? .zero : RedisConnection.connectTimeout)
        let timer = shard.schedule(at: min(limit, end)) { [self] in
            if end <= shard.now { return self.end(id, of: channel, .success(false)) }
            self.end(id, of: channel, .failure(.timeout))
            if let silentSince, silentSince + Self.stallTime <= shard.now { drop(.timeout) }
        }
        let isNew = channels[channel]?.waiters.isEmpty ?? true
        channels[channel, default: Channel()].waiters[id] = Waiter(
            check: check, end: end, timer: timer, finish: finish)
        if isNew {
            channels[channel]?.unconfirmed += 1
            if isConnected { subscribe(to: channel) }
        } else if channels[channel]?.unconfirmed == 0 {
            look(id, of: channel)
        }
        if connection == nil { connect(to: address) }
    }

    private func connect(to address: SocketAddress) {
        let connection = RedisConnection(to: address, settings, on: shard) { [self] _, event in
            switch event {
            case .ready:
                channels = channels.filter { !$0.value.waiters.isEmpty }
                for channel in channels.keys {
                    channels[channel]?.unconfirmed = 1
                    subscribe(to: channel)
                }
            case .reply(let reply): receive(reply)
            case .ended(let ending): drop(ending.fault)
            }
        }
        self.connection = connection
        connection.start()
    }

    private func subscribe(to channel: String) {
        connection?.send(RedisCommand(["SUBSCRIBE", channel]))
        silentSince = silentSince ?? .now
    }

    /// Asks whether there is still something to wait for.
    private func look(_ id: UInt64, of channel: String) {
        guard let waiter = channels[channel]?.waiters[id] else { return }
        // The link ends the check in time.
        startTimer(at: waiter.end, id, of: channel)
        link.submit(waiter.check, as: .change) { [self] result in
            switch result {
            case .success(.integer(let milliseconds)) where milliseconds > 0:
                startTimer(at: min(waiter.end, .now + .milliseconds(milliseconds)), id, of: channel)
            case .success: end(id, of: channel, .success(true))
            case .failure(let fault): end(id, of: channel, .failure(fault))
            }
        }
    }

    /// Starts the timer that ends a wait, in place of the timer before.
    private func startTimer(at time: MonotonicTime, _ id: UInt64, of channel: String) {
        guard let waiter = channels[channel]?.waiters[id] else { return }
        waiter.timer.cancel()
        channels[channel]?.waiters[id]?.timer = shard.schedule(at: time) { [self] in
            end(id, of: channel, .success(false))
        }
    }

    /// Ends a wait, unless it is over.
    func end(_ id: UInt64, of channel: String, _ result: Result<Bool, SharedFault>) {
        early.remove(id)
        guard let waiter = channels[channel]?.waiters.removeValue(forKey: id) else { return }
        waiter.timer.cancel()
        if channels[channel]?.waiters.isEmpty == true {
            if let connection, connection.isReady { connection.send(RedisCommand(["UNSUBSCRIBE", channel])) }
            if channels[channel]?.unconfirmed == 0 { channels[channel] = nil }
        }
        waiter.finish(result)
    }

    /// Ends the connection and all waits.
    func drop(_ fault: SharedFault) {
        connection?.close()
        (connection, silentSince) = (nil, nil)
        let waiters = channels.values.flatMap(\.waiters.values)
        channels = [:]
        for waiter in waiters {
            waiter.timer.cancel()
            waiter.finish(.failure(fault))
        }
    }

    private func receive(_ reply: RedisReply) {
        silentSince = nil
        guard case .array(let parts) = reply, parts.count == 3, let channel = parts[1].text else {
            return drop(.refused(reply.errorCode ?? "PROTOCOL"))
        }
        switch parts[0].text {
        case "message":
            for id in channels[channel]?.waiters.keys ?? [:].keys {
                end(id, of: channel, .success(true))
            }
        case "subscribe":
            guard let state = channels[channel] else { return }
            channels[channel]?.unconfirmed = state.unconfirmed - 1
            guard state.unconfirmed == 1 else { return }
            if state.waiters.isEmpty { channels[channel] = nil }
            for id in state.waiters.keys { look(id, of: channel) }
        default: break
        }
    }
}
