// Unsafe: libcurl's C interface. The handle owns its `CURLM *`, which `close` frees. The socket and timer callbacks get
// `self` unretained; `close` removes them before `self` goes, and they run on the shard's thread, inside curl calls only.
// libcurl has each `ActiveTransfer` unretained, as its handle's private pointer; `active` retains it until `remove`.
import CCurl
import EventLoop
import HTTPCore

/// libcurl's multi handle on the loop of one shard: the loop waits for the sockets and timeouts that libcurl names.
final class MultiHandle {
    /// The time in one turn of the loop for all bodies that take long to decode: clients wait meanwhile.
    private static let turnTime = Duration.milliseconds(1)
    /// libcurl's global start, once and before the first handle.
    private static let globalStart: Void = { weir_start_curl() }()
    /// The time between two looks at transfers that have no connection yet.
    private static let interval = Duration.milliseconds(10)
    /// The time after which libcurl has not ended a transfer by itself, whose reason is better.
    private static let grace = Duration.milliseconds(10)

    let shard: Shard
    private var multi: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var active: [ActiveTransfer] = []
    @exclusivity(unchecked) var sockets: [curl_socket_t: UpstreamSocket] = [:]
    /// Whether a transfer may need a turn.
    private var needsTurns = false
    /// The index of the transfer that has its turn first.
    private var nextTurn = 0
    private var isCollecting = false
    /// The upstreams that have sent bytes which belong to no response, with the instants until which their connections are
    /// not reused.
    @exclusivity(unchecked) private var suspects: [Origin: MonotonicTime] = [:]
    /// The addresses that libcurl knows.
    @exclusivity(unchecked) private var known: [ConnectionPolicy.Name: HostAddresses] = [:]
    @exclusivity(unchecked) private var handles = HandlePool()
    /// The instant at which libcurl wants to be called.
    private var timeout: MonotonicTime?
    /// Fires at `timeout` or earlier, and then waits again: libcurl changes the instant several times in a transfer.
    private var timer: (instant: MonotonicTime, timer: ShardTimer)?
    /// Whether libcurl wants to be called in this turn of the loop.
    private var isDue = false
    /// The next look at the transfers.
    private var nextLook: (instant: MonotonicTime, timer: ShardTimer)?
    private var isStopped = false

    init(_ shard: Shard, maximumConnections: Int, maximumHostConnections: Int) {
        self.shard = shard
        Self.globalStart
        multi = curl_multi_init()
        let context = Unmanaged.passUnretained(self).toOpaque()
        weir_multi_set_socket(
            multi,
            { easy, socket, what, context, _ in
                MultiHandle.at(context).watch(socket, what, of: easy)
                return 0
            }, context)
        weir_multi_set_timer(
            multi,
            { _, milliseconds, context in
                MultiHandle.at(context).schedule(milliseconds)
                return 0
            }, context)
        resize(maximumConnections: maximumConnections, maximumHostConnections: maximumHostConnections)
    }

    static func at(_ context: UnsafeMutableRawPointer) -> MultiHandle {
        Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue()
    }

    // If the loop ended before it could run `close`, no other thread touches the shard any more.
    deinit { close() }

    /// Starts a fetch, which ends with a call of `complete`.
    func begin(_ ticket: Ticket, _ complete: @escaping (Result<IncomingResponse, TransferError>) -> Void) {
        if isStopped || multi == nil || ticket.isCancelled { return complete(.failure(.cancelled)) }
        begin(Fetch(ticket: ticket, deadline: .now + ticket.request.deadline, complete: complete))
    }

    /// Ends the fetch of `ticket`.
    func cancel(_ ticket: Ticket) {
        guard let transfer = active.first(where: { $0.fetch.ticket === ticket }) else { return }
        finish(transfer, .failure(.cancelled))
    }

    /// Changes the number of the connections that stay open, and of those to one host; 0 for any number to one host.
    func resize(maximumConnections: Int, maximumHostConnections: Int) {
        handles.removeSpares()
        weir_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maximumConnections)
        weir_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, maximumHostConnections)
    }

    /// Ends all fetches.
    func stop() {
        isStopped = true
        for transfer in active { finish(transfer, .failure(.cancelled)) }
        timer?.timer.cancel()
        nextLook?.timer.cancel()
        (timer, nextLook) = (nil, nil)
    }

    /// Ends all fetches and closes all connections.
    ///
    /// Runs on the shard while its loop runs, because it removes sockets from the loop's set.
    func close() {
        weir_multi_set_socket(multi, nil, nil)
        weir_multi_set_timer(multi, nil, nil)
        for socket in sockets.values { socket.unwatch() }
        sockets.removeAll()
        stop()
        curl_multi_cleanup(multi)
        multi = nil
    }

    /// Gives a transfer to libcurl, a retry on a new connection.
    private func begin(_ fetch: Fetch, isRetry: Bool = false) {
        let request = fetch.request
        let left = (fetch.deadline - .now).wholeMilliseconds
        guard left >= 1 else { return fetch.complete(.failure(.tooSlow)) }
        guard let handle = handles.take(for: request, self) else {
            return fetch.complete(.failure(TransferError(CURLE_OUT_OF_MEMORY)))
        }
        handle.prepare(request, milliseconds: left, isRetry: isRetry)
        let isSuspect = suspects[handle.origin].map { $0 > shard.now } ?? false
        handle.transfer.isToSuspect = isSuspect
        if isSuspect || isRetry { handle.setFreshConnection(isLast: isSuspect) }
        if let name = request.policy.name, let addresses = request.addresses, known[name] !== addresses {
            handle.setAddresses(addresses, of: name)
            known[name] = addresses
        }
        let transfer = ActiveTransfer(handle, fetch, isRetry: isRetry, start: shard.now)
        weir_set_private(handle.pointer, Unmanaged.passUnretained(transfer).toOpaque())
        guard curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
            return fetch.complete(.failure(TransferError(CURLE_OUT_OF_MEMORY)))
        }
        transfer.index = active.count
        active.append(transfer)
        scheduleLook(at: shard.now + Self.interval)
        if let timeout = request.firstByteTimeout { limitFirstByte(of: transfer, to: timeout) }
    }

    /// Ends a transfer whose response has not begun after `timeout`.
    private func limitFirstByte(of transfer: ActiveTransfer, to timeout: Duration) {
        transfer.firstByteTimer = shard.schedule(at: .now + timeout) { [weak self, weak transfer] in
            guard let self, let transfer, !transfer.handle.hasFinalStatus else { return }
            finish(transfer, .failure(.silent))
        }
    }

    /// Takes a transfer from libcurl, which runs callbacks for it until then.
    private func remove(_ transfer: ActiveTransfer) {
        guard let index = transfer.index else { return }
        curl_multi_remove_handle(multi, transfer.handle.pointer)
        transfer.firstByteTimer?.cancel()
        active[index] = active[active.count - 1]
        active[index].index = index
        active.removeLast()
        transfer.index = nil
    }

    /// Completes a transfer with `result`.
    private func finish(_ transfer: ActiveTransfer, _ result: Result<IncomingResponse, TransferError>) {
        remove(transfer)
        if case .failure(let error) = result {
            transfer.handle.noteFailure(to: transfer.fetch.request)
            // libcurl may not have begun with the transfer, and so not have taken its addresses.
            if error == .cancelled, let name = transfer.fetch.request.policy.name { known[name] = nil }
        } else {
            handles.keep(transfer.handle)
        }
        transfer.fetch.complete(result)
    }

    /// Stops the reuse of connections to `origin` for five minutes.
    func suspect(_ origin: Origin) { suspects[origin] = shard.now + .seconds(300) }

    /// Completes a transfer that libcurl has finished with `code`, or begins it again if its used connection had ended.
    private func settle(_ transfer: ActiveTransfer, _ code: CURLcode) {
        let result = transfer.handle.result(code)
        if transfer.handle.hasSurplus(result) { suspect(transfer.handle.origin) }
        guard !transfer.isRetry, transfer.handle.deservesRetry(result) else { return finish(transfer, result) }
        remove(transfer)
        begin(transfer.fetch, isRetry: true)
    }
}

// libcurl's requests. Its callbacks only record them; results are collected outside of the callbacks.
extension MultiHandle {
    private func watch(_ descriptor: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?) {
        let interest: Readiness? =
            switch what {
            case CURL_POLL_IN: .readable
            case CURL_POLL_OUT: .writable
            case CURL_POLL_INOUT: [.readable, .writable]
            default: nil
            }
        if let interest {
            (sockets[descriptor] ?? addSocket(descriptor)).use(for: interest)
        } else if let transfer = easy.flatMap(ActiveTransfer.of) {
            release(descriptor, by: transfer.handle)
        } else {
            forget(descriptor)
        }
    }

    private func schedule(_ milliseconds: Int) {
        timeout = milliseconds > 0 ? .now + .milliseconds(milliseconds) : nil
        if milliseconds == 0 {
            isDue = true
            collectSoon()
        }
        setTimer()
    }

    private func setTimer() {
        guard let timeout else { return }
        if let timer, timer.instant <= timeout { return }
        timer?.timer.cancel()
        timer = (timeout, shard.schedule(at: timeout) { [weak self] in self?.timerFired() })
    }

    private func timerFired() {
        timer = nil
        guard let timeout else { return }
        if timeout > shard.now { return setTimer() }
        self.timeout = nil
        drive(CURL_SOCKET_TIMEOUT, 0 as Int32)
    }

    /// Reports the events of one of libcurl's sockets to libcurl.
    func drive(_ socket: curl_socket_t, _ readiness: Readiness) {
        var events: Int32 = 0
        if !readiness.isDisjoint(with: [.readable, .hungUp]) { events |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
        if readiness.contains(.failed) { events |= CURL_CSELECT_ERR }
        drive(socket, events)
    }

    private func drive(_ socket: curl_socket_t, _ events: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, events, &running)
        settleDone()
    }

    /// Lets a transfer with more to decode go on in the next turn of the loop.
    func transferNeedsTurn() {
        needsTurns = true
        collectSoon()
    }

    private func collectSoon() {
        guard !isCollecting else { return }
        isCollecting = true
        shard.runBeforeWaiting { [weak self] in self?.collect() }
    }

    private func collect() {
        if isDue {
            isDue = false
            // Begins all new transfers together: a busy upstream is woken once.
            drive(CURL_SOCKET_TIMEOUT, 0 as Int32)
        }
        if needsTurns {
            takeTurns()
            needsTurns = active.contains { $0.handle.needsTurn }
        }
        isCollecting = false
        if isDue || needsTurns { collectSoon() }
    }

    /// Completes the transfers that libcurl has finished; each at once, while its body is in the processor's cache.
    private func settleDone() {
        var code = CURLE_OK
        while let pointer = weir_multi_next_done(multi, &code) {
            guard let transfer = ActiveTransfer.of(pointer) else { continue }
            // Now, because the next transfer can use the connection while the body is still being decoded.
            if !transfer.handle.transfer.isSocketUnused { noteUnseenEnd(of: transfer.handle) }
            if code == CURLE_OK, transfer.handle.needsTurn {
                transfer.code = code
            } else {
                settle(transfer, code)
            }
        }
    }

    /// Decodes more of the bodies that have had their share of the last turn, of as many as there is time for.
    private func takeTurns() {
        let (transfers, end) = (active, MonotonicTime.now + Self.turnTime)
        for offset in transfers.indices {
            let index = (nextTurn + offset) % transfers.count
            guard transfers[index].index != nil, transfers[index].handle.needsTurn else { continue }
            takeTurn(transfers[index])
            if .now >= end {
                nextTurn = index + 1
                return
            }
        }
    }

    private func takeTurn(_ transfer: ActiveTransfer) {
        if transfer.fetch.deadline <= shard.now { return finish(transfer, .failure(.unfinished)) }
        if !transfer.handle.transfer.reader.decodeMore() {
            settle(transfer, CURLE_WRITE_ERROR)
        } else if let code = transfer.code, !transfer.handle.needsTurn {
            settle(transfer, code)
        }
    }
}

// libcurl 7.88 forgets the deadline of a transfer that waits for a connection or that libcurl has begun again, and does not
// go on with the next address of a host name until something else happens.
extension MultiHandle {
    /// Looks at the active transfers at `instant`, or before.
    private func scheduleLook(at instant: MonotonicTime) {
        if let nextLook, nextLook.instant <= instant { return }
        nextLook?.timer.cancel()
        nextLook = (instant, shard.schedule(at: instant) { [weak self] in self?.lookAtTransfers() })
    }

    private func lookAtTransfers() {
        nextLook = nil
        for transfer in active where transfer.index != nil && transfer.code == nil {
            if let instant = look(at: transfer) { scheduleLook(at: instant) }
        }
    }

    /// Ends a transfer whose time is over, or lets it go on and returns the instant of the next look at it.
    private func look(at transfer: ActiveTransfer) -> MonotonicTime? {
        let end = transfer.fetch.deadline + Self.grace
        let hasConnected = transfer.handle.hasConnected
        let connectEnd = hasConnected ? end : transfer.start + transfer.fetch.request.connectTimeout + Self.grace
        if min(end, connectEnd) <= shard.now {
            finish(transfer, .failure(connectEnd < end ? .connectTimedOut : transfer.handle.overdue))
            return nil
        }
        if hasConnected { return end }
        transfer.handle.wake()
        return shard.now + Self.interval
    }
}
