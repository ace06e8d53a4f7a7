import Cache
import EventLoop
import Synchronization

/// The connection of one shard to Redis: commands in a row, their time, the breaker, and new connections; used on its shard.
///
/// After three faults in a row, commands fail at once, until Redis answers a PING.
final class RedisLink: RedisConnectionOwner {
    private static let maximumWaiting = 1024
    private static let faultsToSuspend = 3
    /// The time without any answer after which a connection is given up.
    private static let stallTime = Duration.seconds(1)
    private static let shortestPause = 100, longestPause = 500

    let figures = RedisFigures()
    private let settings: RedisSettings
    private let log: RedisLog
    private let shard: Shard
    private var connection: RedisConnection?
    private var queue = RedisQueue()
    private var timer: ShardTimer?
    private var faults = 0
    private var isLocating = false
    private var isStopped = false
    /// The addresses to try if the attempt under way fails.
    private var others: [SocketAddress] = []
    /// The milliseconds to the next probe; nil while the breaker is closed.
    private var pause: Int?
    private var probeTimer: ShardTimer?
    private var isProbing = false

    init(_ settings: RedisSettings, _ log: RedisLog, on shard: Shard) {
        (self.settings, self.log, self.shard) = (settings, log, shard)
    }

    /// The numeric address or the path at which Redis answers; nil without a connection.
    var address: SocketAddress? { connection.flatMap { $0.isReady ? $0.address : nil } }

    /// Sends a command; `finish` gets the reply, or why there is none.
    ///
    /// Errors of Redis are faults, except that a script is not known.
    func submit(
        _ command: RedisCommand, as operation: RedisOperation,
        _ finish: @escaping (Result<RedisReply, SharedFault>) -> Void
    ) {
        let unsent = (connection?.unsentBytes ?? 0) + command.bytes.count
        let isFull = queue.count >= Self.maximumWaiting || unsent > 4 * settings.maximumDocumentBytes
        if pause != nil || isStopped || isFull {
            let fault: SharedFault = isFull ? .queueFull : .breakerOpen
            figures.note(operation, fault)
            return finish(.failure(fault))
        }
        append(RedisQueue.Entry(operation: operation, start: .now, command: command, finish: finish))
        if connection == nil { connect() }
    }

    private func append(_ entry: RedisQueue.Entry) {
        var entry = entry
        if let connection, connection.isReady, let command = entry.command {
            connection.send(command)
            entry.command = nil
        }
        queue.append(entry)
        if timer == nil { startTimer(for: entry.start) }
    }

    /// Ends the connection and all commands, for good.
    func stop() {
        isStopped = true
        probeTimer?.cancel()
        connection?.close()
        connection = nil
        failAll(.unreachable)
    }

    // One timer for all commands: their time is the same, so the oldest one is the next to expire.
    //
    // A loop that is late has perhaps not sent the commands yet, so they get their time once more.
    private func startTimer(for start: MonotonicTime, isLate: Bool = false) {
        let end = start + settings.timeout
        timer = shard.schedule(at: end) { [self] in
            timer = nil
            // Answers may have arrived while the loop was busy.
            connection?.receive()
            let now = shard.now
            if !isLate, end + settings.timeout / 4 < now, !queue.isEmpty { return startTimer(for: now, isLate: true) }
            while let oldest = queue.oldestWaiting {
                guard oldest + settings.timeout <= now else { return startTimer(for: oldest) }
                if let entry = queue.expire(oldest) { settle(entry, .failure(.timeout)) }
            }
        }
    }

    private func settle(_ entry: RedisQueue.Entry, _ result: Result<RedisReply, SharedFault>) {
        guard let finish = entry.finish, let operation = entry.operation else { return }
        var fault: SharedFault?
        if case .failure(let failure) = result { fault = failure }
        figures.note(operation, fault, since: entry.start)
        if let fault {
            faults += 1
            if faults == Self.faultsToSuspend { suspend("Redis does not do what is asked: \(fault.label)") }
        } else {
            faults = 0
        }
        finish(result)
    }

    private func failAll(_ fault: SharedFault) {
        isProbing = false
        for entry in queue.removeAll() { settle(entry, .failure(fault)) }
    }
}

// Connections.
extension RedisLink {
    /// Begins to connect, unless that has begun.
    func connect() {
        guard connection == nil, !isLocating, !isStopped else { return }
        isLocating = true
        let (locator, shard, bound) = (RedisLocator(settings: settings), shard, ShardBound(self, to: shard))
        Task(executorPreference: shard) {
            let found: Result<[SocketAddress], RedisEnding>
            do throws(RedisEnding) { found = .success(try await locator.locate(on: shard)) } catch {
                found = .failure(error)
            }
            bound.run { $0.located(found) }
        }
    }

    private func located(_ found: Result<[SocketAddress], RedisEnding>) {
        isLocating = false
        guard !isStopped else { return }
        switch found {
        case .success(let addresses):
            others = addresses
            tryNext()
        case .failure(let ending): lost(ending)
        }
    }

    private func tryNext() {
        guard !others.isEmpty else { return }
        let connection = RedisConnection(
            to: others.removeFirst(), settings, host: settings.address, greeting: settings.greeting, on: shard,
            owner: self)
        self.connection = connection
        connection.start()
    }

    func connectionIsReady(_ connection: RedisConnection) {
        figures.isConnected.store(true, ordering: .relaxed)
        faults = 0
        resume()
        queue.sendAll { connection.send($0) }
    }

    func connection(_ connection: RedisConnection, received reply: RedisReply) {
        // An answer that nobody has asked for would shift all others.
        guard let entry = queue.removeFirst() else { return give(up: .broken) }
        if entry.operation == nil {
            isProbing = false
            if reply.text == "PONG" { resume() }
            return
        }
        guard let code = reply.errorCode, code != "NOSCRIPT" else { return settle(entry, .success(reply)) }
        settle(entry, .failure(.refused(code)))
        if code == "MOVED" || code == "ASK" { log.foundCluster() }
        if code == "READONLY" {
            give(up: RedisEnding(.unreachable, "Redis has become a replica, which takes no writes"))
        }
    }

    func connection(_ connection: RedisConnection, ended ending: RedisEnding) {
        let since = connection.readySince
        self.connection = nil
        figures.isConnected.store(false, ordering: .relaxed)
        if since == nil, !others.isEmpty { return tryNext() }
        // A server that closes each connection must not be asked without a pause.
        if let since, since + Self.stallTime <= shard.now, pause == nil {
            failAll(ending.fault)
            return connect()
        }
        lost(ending)
    }

    private func lost(_ ending: RedisEnding) {
        suspend(ending.detail)
        failAll(ending.fault)
    }

    private func give(up ending: RedisEnding) {
        guard let connection else { return }
        connection.close()
        self.connection(connection, ended: ending)
    }
}

// The breaker.
extension RedisLink {
    private func suspend(_ detail: String) {
        guard pause == nil, !isStopped else { return }
        pause = Self.shortestPause
        figures.isReachable.store(false, ordering: .relaxed)
        log.suspended(detail)
        scheduleProbe()
    }

    private func resume() {
        guard pause != nil else { return }
        (pause, faults) = (nil, 0)
        probeTimer?.cancel()
        figures.isReachable.store(true, ordering: .relaxed)
        log.resumed()
    }

    private func scheduleProbe() {
        guard let pause else { return }
        // Replicas and shards that lose Redis at the same time must not come back at the same time.
        let jittered = Int.random(in: pause * 3 / 4...pause)
        self.pause = min(2 * pause, Self.longestPause)
        probeTimer = shard.schedule(at: .now + .milliseconds(jittered)) { [self] in
            probe()
            scheduleProbe()
        }
    }

    private func probe() {
        guard let connection else { return connect() }
        guard connection.isReady else { return }
        if let oldest = queue.oldest, oldest + Self.stallTime <= shard.now {
            give(up: RedisEnding(.timeout, "\(connection.address) does not answer"))
            return connect()
        }
        guard !isProbing else { return }
        isProbing = true
        append(RedisQueue.Entry(operation: nil, start: .now, command: RedisCommand("PING"), finish: { _ in }))
    }
}
