// Unsafe: libcurl's C interface. The handle owns its `CURLM *`, which `close` frees. The socket and timer callbacks get
// `self` unretained; `close` removes them before `self` goes, and they run on the shard's thread, inside curl calls only.
// libcurl has each `EasyHandle` unretained, as its private pointer; `active` retains it until `remove`.
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
    @exclusivity(unchecked) private var active: [EasyHandle] = []
    @exclusivity(unchecked) var sockets: [curl_socket_t: UpstreamSocket] = [:]
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

    /// Starts a fetch, which ends with a call of its `complete`.
    func begin(_ fetch: PendingFetch) {
        if isStopped || multi == nil || fetch.isCancelled { return fetch.complete(.failure(.cancelled)) }
        begin(fetch, isRetry: false)
    }

    func cancel(_ fetch: PendingFetch) {
        guard let handle = active.first(where: { $0.transfer.fetch === fetch }) else { return }
        finish(handle, .failure(.cancelled))
    }

    /// Changes the number of the connections that stay open, and of those to one host; 0 for any number to one host.
    func resize(maximumConnections: Int, maximumHostConnections: Int) {
        handles.removeSpares()
        weir_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maximumConnections)
        weir_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, maximumHostConnections)
    }

    func stop() {
        isStopped = true
        for handle in active { finish(handle, .failure(.cancelled)) }
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

    /// Gives the request of a fetch to libcurl, a retry on a new connection.
    private func begin(_ fetch: PendingFetch, isRetry: Bool) {
        let request = fetch.request
        let now = MonotonicTime.now
        guard now + .milliseconds(1) <= fetch.deadline else { return fetch.complete(.failure(.tooSlow)) }
        guard let handle = handles.take(for: request, self) else {
            return fetch.complete(.failure(TransferError(CURLE_OUT_OF_MEMORY)))
        }
        handle.prepare(fetch, isRetry: isRetry, at: now)
        let isSuspect = suspects[handle.origin].map { $0 > shard.now } ?? false
        handle.transfer.isToSuspect = isSuspect
        if isSuspect || isRetry { handle.setFreshConnection(isLast: isSuspect) }
        if let name = request.policy.name, let addresses = request.addresses, known[name] !== addresses {
            handle.setAddresses(addresses, of: name)
            known[name] = addresses
        }
        guard curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
            return fetch.complete(.failure(TransferError(CURLE_OUT_OF_MEMORY)))
        }
        handle.transfer.index = active.count
        active.append(handle)
        scheduleLook(at: shard.now + Self.interval)
        if let timeout = request.firstByteTimeout { limitFirstByte(of: handle, to: timeout) }
    }

    /// Ends a transfer whose response has not begun after `timeout`.
    private func limitFirstByte(of handle: EasyHandle, to timeout: Duration) {
        // `remove` cancels the timer, so that the handle has this transfer when the timer fires.
        handle.transfer.firstByteTimer = shard.schedule(at: .now + timeout) { [weak self, weak handle] in
            guard let self, let handle, !handle.hasFinalStatus else { return }
            finish(handle, .failure(.silent))
        }
    }

    /// Takes a transfer from libcurl, which runs callbacks for it until then.
    private func remove(_ handle: EasyHandle) {
        guard let index = handle.transfer.index else { return }
        curl_multi_remove_handle(multi, handle.pointer)
        handle.transfer.firstByteTimer?.cancel()
        active[index] = active[active.count - 1]
        active[index].transfer.index = index
        active.removeLast()
        handle.transfer.index = nil
    }

    /// Completes the fetch of a transfer with `result`.
    private func finish(_ handle: EasyHandle, _ result: consuming Result<IncomingResponse, TransferError>) {
        remove(handle)
        let fetch = handle.transfer.fetch
        if case .failure(let error) = result {
            handle.noteFailure()
            // libcurl may not have begun with the transfer, and so not have taken its addresses.
            if error == .cancelled, let name = handle.policy.name { known[name] = nil }
        } else {
            handles.keep(handle)
        }
        fetch?.complete(result)
    }

    /// Stops the reuse of connections to `origin` for five minutes.
    func suspect(_ origin: Origin) { suspects[origin] = shard.now + .seconds(300) }

    /// Completes a transfer that libcurl has finished with `code`, or begins it again if its used connection had ended.
    private func settle(_ handle: EasyHandle, _ code: CURLcode) {
        let result = handle.result(code)
        if handle.hasSurplus(result) { suspect(handle.origin) }
        guard !handle.transfer.isRetry, handle.deservesRetry(result), let fetch = handle.transfer.fetch else {
            return finish(handle, result)
        }
        remove(handle)
        begin(fetch, isRetry: true)
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
        } else if let handle = easy.flatMap(EasyHandle.of) {
            release(descriptor, by: handle)
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
        shard.runBeforeWaiting { [self] in collect() }
    }

    private func collect() {
        guard multi != nil else { return }
        if isDue {
            isDue = false
            // Begins all new transfers together: a busy upstream is woken once.
            drive(CURL_SOCKET_TIMEOUT, 0 as Int32)
        }
        if needsTurns {
            takeTurns()
            needsTurns = active.contains(where: \.needsTurn)
        }
        isCollecting = false
        if isDue || needsTurns { collectSoon() }
    }

    /// Completes the transfers that libcurl has finished; each at once, while its body is in the processor's cache.
    private func settleDone() {
        var code = CURLE_OK
        while let pointer = weir_multi_next_done(multi, &code) {
            guard let handle = EasyHandle.of(pointer) else { continue }
            // Now, because the next transfer can use the connection while the body is still being decoded.
            if !handle.transfer.isSocketUnused { noteUnseenEnd(of: handle) }
            if code == CURLE_OK, handle.needsTurn {
                handle.transfer.code = code
            } else {
                settle(handle, code)
            }
        }
    }

    /// Decodes more of the bodies that have had their share of the last turn, of as many as there is time for.
    private func takeTurns() {
        let (handles, end) = (active, MonotonicTime.now + Self.turnTime)
        for offset in handles.indices {
            let index = (nextTurn + offset) % handles.count
            guard handles[index].transfer.index != nil, handles[index].needsTurn else { continue }
            takeTurn(handles[index])
            if .now >= end {
                nextTurn = index + 1
                return
            }
        }
    }

    private func takeTurn(_ handle: EasyHandle) {
        if handle.transfer.deadline <= shard.now { return finish(handle, .failure(.unfinished)) }
        if !handle.transfer.reader.decodeMore() {
            settle(handle, CURLE_WRITE_ERROR)
        } else if let code = handle.transfer.code, !handle.needsTurn {
            settle(handle, code)
        }
    }
}

// libcurl 7.88 forgets the deadline of a transfer that waits for a connection or that libcurl has begun again, and does not
// go on with the next address of a host name until something else happens.
extension MultiHandle {
    private func scheduleLook(at instant: MonotonicTime) {
        if let nextLook, nextLook.instant <= instant { return }
        nextLook?.timer.cancel()
        nextLook = (instant, shard.schedule(at: instant) { [weak self] in self?.lookAtTransfers() })
    }

    private func lookAtTransfers() {
        nextLook = nil
        for handle in active where handle.transfer.index != nil && handle.transfer.code == nil {
            if let instant = look(at: handle) { scheduleLook(at: instant) }
        }
    }

    /// Ends a transfer whose time is over, or lets it go on and returns the instant of the next look at it.
    private func look(at handle: EasyHandle) -> MonotonicTime? {
        let end = handle.transfer.deadline + Self.grace
        let hasConnected = handle.hasConnected
        let connectEnd = hasConnected ? end : handle.transfer.connectDeadline + Self.grace
        if min(end, connectEnd) <= shard.now {
            finish(handle, .failure(connectEnd < end ? .connectTimedOut : handle.overdue))
            return nil
        }
        if hasConnected { return end }
        handle.wake()
        return shard.now + Self.interval
    }
}
