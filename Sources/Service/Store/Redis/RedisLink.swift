import EventLoop
import HTTPCore
import Synchronization

/// The connection of one shard to Redis: commands in a row, their time, the breaker, and new connections; used on its shard.
///
/// After three faults in a row, commands fail at once, until Redis answers a probe in time. Reads may succeed while Redis
/// refuses all writes, so three refused writes without a successful one between them count as well.
final class RedisLink {
    /// A command that has no answer yet.
    ///
    /// An expired one stays until its answer has come: the answer of the next one follows.
    private struct Call {
        let operation: RedisOperation
        let start: MonotonicTime
        /// Nil once the command has been sent.
        var command: RedisCommand?
        /// Nil once the command has expired.
        var finish: ((Result<RedisReply, SharedFault>) -> Void)?
    }

    private static let maximumWaiting = 1024
    private static let faultsToSuspend = 3
    /// The time without any answer after which a connection is given up.
    private static let stallTime = Duration.seconds(1)
    private static let shortestPause = 100, longestPause = 500
    /// The time without a loss after which the next loss begins with the shortest pause again.
    private static let steadyTime = Duration.seconds(10)

    private let settings: RedisSettings
    private let figures: RedisFigures
    private let shard: Shard
    private var connection: RedisConnection?
    /// In the order in which the answers come.
    private var calls: [Call] = []
    private var timer: ShardTimer?
    private var faults = 0
    /// The writes that Redis has refused since the last successful one.
    private var refusals = 0
    private var isLocating = false
    private var isStopped = false
    /// The addresses to try if the attempt under way fails.
    private var others: [SocketAddress] = []
    /// The sentinel to ask first.
    private var firstSentinel = 0
    /// Whether commands fail at once: the breaker is open.
    private var isSuspended = false
    /// The milliseconds to the next probe.
    private var pause = RedisLink.shortestPause
    private var resumedAt: MonotonicTime?
    private var probeTimer: ShardTimer?

    init(_ settings: RedisSettings, _ figures: RedisFigures, on shard: Shard) {
        (self.settings, self.figures, self.shard) = (settings, figures, shard)
    }

    /// Sends a command; `finish` gets the reply, or why there is none.
    ///
    /// Errors of Redis are faults, except that a script is not known.
    func submit(
        _ command: RedisCommand, as operation: RedisOperation,
        _ finish: @escaping (Result<RedisReply, SharedFault>) -> Void
    ) {
        let unsent = (connection?.unsentBytes ?? 0) + command.bytes.count
        let isFull = calls.count >= Self.maximumWaiting || unsent > 4 * settings.maximumDocumentBytes
        if isSuspended || isStopped || isFull {
            let fault: SharedFault = isFull ? .queueFull : .breakerOpen
            figures.note(operation, fault)
            return finish(.failure(fault))
        }
        append(Call(operation: operation, start: .now, command: command, finish: finish))
        if connection == nil { connect() }
    }

    private func append(_ call: Call) {
        calls.append(call)
        if let connection, connection.isReady { send(calls.count - 1, on: connection) }
        if timer == nil { startTimer(for: call.start) }
    }

    private func send(_ index: Int, on connection: RedisConnection) {
        if let command = calls[index].command { connection.send(command) }
        calls[index].command = nil
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
            if !isLate, end + settings.timeout / 4 < now, !calls.isEmpty { return startTimer(for: now, isLate: true) }
            while let index = calls.firstIndex(where: { $0.finish != nil }) {
                let call = calls[index]
                guard call.start + settings.timeout <= now else { return startTimer(for: call.start) }
                calls[index].finish = nil
                settle(call, .failure(.timeout))
            }
        }
    }

    private func settle(_ call: Call, _ result: Result<RedisReply, SharedFault>) {
        guard let finish = call.finish else { return }
        switch result {
        case .failure(let fault):
            figures.note(call.operation, fault, since: call.start)
            if call.operation != .probe { count(fault, of: call.operation) }
        case .success(let reply):
            figures.note(call.operation, nil, since: call.start)
            faults = 0
            if call.operation.isWrite, reply.errorCode == nil { refusals = 0 }
        }
        finish(result)
    }

    private func count(_ fault: SharedFault, of operation: RedisOperation) {
        faults += 1
        var word = fault.label
        if case .refused(let code) = fault {
            word = code
            if operation.isWrite { refusals += 1 }
        }
        guard max(faults, refusals) >= Self.faultsToSuspend else { return }
        suspend("three calls in a row have failed, the last with \(word)")
    }

    private func failAll(_ fault: SharedFault) {
        let failed = calls
        calls = []
        for call in failed { settle(call, .failure(fault)) }
    }
}

// Connections.
extension RedisLink {
    /// Begins to connect, unless that has begun.
    func connect() {
        guard connection == nil, !isLocating, !isStopped else { return }
        isLocating = true
        let (locator, shard, bound) = (
            RedisLocator(settings: settings, first: firstSentinel), shard, ShardBound(self, to: shard)
        )
        Task(executorPreference: shard) {
            do throws(RedisEnding) {
                let addresses = try await locator.locate(on: shard)
                bound.run { $0.located(addresses) }
            } catch {
                bound.run { $0.lost(error) }
            }
        }
    }

    private func located(_ addresses: [SocketAddress]) {
        isLocating = false
        others = addresses
        if !isStopped { tryNext() }
    }

    private func tryNext() {
        guard !others.isEmpty else { return }
        let connection = RedisConnection(to: others.removeFirst(), settings, on: shard) { [self] connection, event in
            switch event {
            case .ready: ready(connection)
            case .reply(let reply): receive(reply, connection)
            case .ended(let ending): ended(since: connection.readySince, ending)
            }
        }
        self.connection = connection
        connection.start()
    }

    private func ready(_ connection: RedisConnection) {
        figures.connected(shard.index)
        if let time = connection.greetingTime, time <= settings.timeout { resume() }
        calls.removeAll { $0.finish == nil }
        for index in calls.indices { send(index, on: connection) }
    }

    private func receive(_ reply: RedisReply, _ connection: RedisConnection) {
        if let code = reply.errorCode, RedisReply.isOfCluster(code) { figures.foundCluster() }
        // An answer that nobody has asked for would shift all others.
        if calls.isEmpty { return connection.end(.broken) }
        let call = calls.removeFirst()
        guard let code = reply.errorCode, code != "NOSCRIPT" else { return settle(call, .success(reply)) }
        settle(call, .failure(.refused(code)))
        if code == "READONLY" { connection.end(.replica) }
    }

    private func ended(since: MonotonicTime?, _ ending: RedisEnding) {
        connection = nil
        figures.disconnected(shard.index)
        if since == nil, !others.isEmpty { return tryNext() }
        // The sentinel that was believed may be the only one to name this master.
        if since == nil { firstSentinel += 1 }
        // A server that closes each connection must not be asked without a pause.
        if let since, since + Self.stallTime <= shard.now, !isSuspended {
            failAll(ending.fault)
            return connect()
        }
        lost(ending)
    }

    private func lost(_ ending: RedisEnding) {
        isLocating = false
        if case .refused(let code) = ending.fault, RedisReply.isOfCluster(code) { figures.foundCluster() }
        suspend(ending.detail)
        failAll(ending.fault)
    }
}

// The breaker.
extension RedisLink {
    private func suspend(_ detail: String) {
        guard !isSuspended, !isStopped else { return }
        isSuspended = true
        if let resumedAt, resumedAt + Self.steadyTime <= .now { pause = Self.shortestPause }
        figures.suspended(shard.index, detail)
        scheduleProbe()
    }

    private func resume() {
        (faults, refusals) = (0, 0)
        guard isSuspended else { return }
        (isSuspended, resumedAt) = (false, .now)
        probeTimer?.cancel()
        figures.resumed(shard.index)
    }

    private func scheduleProbe() {
        guard isSuspended else { return }
        // Replicas and shards that lose Redis at the same time must not come back at the same time.
        let jittered = Int.random(in: pause * 3 / 4...pause)
        pause = min(2 * pause, Self.longestPause)
        probeTimer = shard.schedule(at: .now + .milliseconds(jittered)) { [self] in
            figures.logLoss()
            probe()
            scheduleProbe()
        }
    }

    private func probe() {
        guard let connection else { return connect() }
        guard connection.isReady else { return }
        if let oldest = calls.first, oldest.start + Self.stallTime <= shard.now {
            connection.end(RedisEnding(.timeout, "\(connection.address) does not answer"))
            return connect()
        }
        if calls.contains(where: { $0.operation == .probe }) { return }
        let start = MonotonicTime.now
        append(
            Call(operation: .probe, start: start, command: settings.probe) { [self] result in
                // A call of a late loop gets its time twice, which would close the breaker for a slow Redis.
                if case .success(.integer(1)) = result, .now - start <= settings.timeout { resume() }
            })
    }
}
