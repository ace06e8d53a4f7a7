// Unsafe: libcurl's C interface. The handle owns its `CURLM *`, which `close` frees. The socket and timer callbacks get
// `self` unretained; `close` removes them before `self` goes, and they run on the shard's thread, inside curl calls only.
// libcurl has each `Active` unretained, as its handle's private pointer; `active` has it until `remove` takes the handle.
import CCurl
import EventLoop
import HTTPCore

/// libcurl's multi handle on the loop of one shard: the loop waits for the sockets and timeouts that libcurl names.
final class MultiHandle {
    typealias Completion = (Result<IncomingResponse, TransferError>) -> Void

    /// libcurl's global start, once and before the first handle.
    private static let globalStart: Void = { weir_start_curl() }()
    /// More bases than a configuration has.
    private static let maximumBases = 1024

    let shard: Shard
    private var maximumActive: Int
    /// The connections to one host at a time; 0 for any number.
    private(set) var maximumHostConnections = 0
    private(set) var multi: UnsafeMutableRawPointer?
    /// A handle without a transfer, whose removal makes libcurl wake a transfer that waits for a connection.
    var bell: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var waiting: [Waiting] = []
    @exclusivity(unchecked) private(set) var active: [Active] = []
    @exclusivity(unchecked) var sockets: [curl_socket_t: UpstreamSocket] = [:]
    /// The sockets that have been idle, by their local ports; those without a port have 0.
    @exclusivity(unchecked) var socketsByPort: [Int32: [UpstreamSocket]] = [:]
    let inspector = ConnectionInspector()
    let floods = FloodGuard()
    /// The upstreams that have sent bytes which belong to no response: their connections are not reused.
    @exclusivity(unchecked) var suspects = RecentUpstreams(for: .seconds(300))
    /// Those that have answered requests for two URLs with one document.
    var lookalikes = RecentUpstreams(for: .seconds(3600))
    /// Those whose connections have been ended because of a flood; libcurl may have made the request again meanwhile.
    var flooding = RecentUpstreams(for: .seconds(10))
    /// The sockets of HTTP/2 on which a transfer broke off: the other transfers on them have to see it.
    var broken: [curl_socket_t] = []
    /// Connections of HTTP/2 whose other end may be gone.
    @exclusivity(unchecked) var doubted: [UpstreamSocket] = []
    /// Sockets that libcurl has closed, by their descriptors, and when they really are.
    var leaving: [curl_socket_t: (socket: UpstreamSocket, timer: ShardTimer)] = [:]
    /// The addresses that libcurl knows.
    @exclusivity(unchecked) private var known: [ConnectionPolicy.Name: HostAddresses] = [:]
    @exclusivity(unchecked) private var spares = SpareHandles()
    /// The bases of URLs, by their texts.
    @exclusivity(unchecked) private var bases: [Substring: ParsedBase] = [:]
    /// The moment at which libcurl wants to be called.
    private var timeout: MonotonicTime?
    /// Fires at `timeout` or earlier, and then waits again: libcurl changes the moment several times in a transfer.
    private var timer: (moment: MonotonicTime, timer: ShardTimer)?
    private var isDue = false
    /// The next look at the transfers.
    var nextLook: (moment: MonotonicTime, timer: ShardTimer)?
    /// Whether a transfer may need a turn.
    private var needsTurns = false
    /// The place of the transfer that has its turn first.
    var nextTurn = 0
    private var isCollecting = false
    var isStopped = false

    init(_ shard: Shard, maximumActive: Int, maximumConnections: Int, maximumHostConnections: Int) {
        self.shard = shard
        self.maximumActive = maximumActive
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
        resize(
            maximumActive: maximumActive, maximumConnections: maximumConnections,
            maximumHostConnections: maximumHostConnections)
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> MultiHandle {
        Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue()
    }

    // If the loop ended before it could run `close`, no other thread touches the shard any more.
    deinit { close() }

    /// Starts a fetch as soon as fewer than `maximumActive` transfers run.
    func begin(_ ticket: Ticket, _ complete: @escaping Completion) {
        if isStopped || multi == nil || ticket.isCancelled { return complete(.failure(.cancelled)) }
        if waiting.count >= Client.maximumWaiting { return complete(.failure(.queueFull)) }
        let deadline = MonotonicTime.now + ticket.request.deadline
        var entry = Waiting(ticket: ticket, deadline: deadline, complete: complete)
        if active.count < maximumActive, waiting.isEmpty { return begin(entry) }
        entry.timer = shard.schedule(at: deadline) { [weak self] in self?.abandon(ticket, .tooSlow) }
        waiting.append(entry)
        startWaiting()
    }

    /// Ends the fetch of `ticket`.
    func cancel(_ ticket: Ticket) {
        abandon(ticket, .cancelled)
        guard let transfer = active.first(where: { $0.waiting.ticket === ticket }) else { return }
        finish(transfer, .failure(.cancelled))
        startWaiting()
    }

    /// Changes the number of transfers that run at a time, of the connections that stay open, and of those to one host.
    func resize(maximumActive: Int, maximumConnections: Int, maximumHostConnections: Int) {
        (self.maximumActive, self.maximumHostConnections) = (maximumActive, maximumHostConnections)
        // Upstreams may have new policies.
        spares = SpareHandles()
        weir_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maximumConnections)
        weir_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, maximumHostConnections)
        startWaiting()
    }

    /// Ends all fetches.
    func stop() {
        isStopped = true
        for entry in waiting { entry.fail(.cancelled) }
        waiting.removeAll()
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
        for (socket, _) in leaving.values { leave(socket) }
        sockets.removeAll()
        socketsByPort.removeAll()
        stop()
        curl_easy_cleanup(bell)
        curl_multi_cleanup(multi)
        (bell, multi) = (nil, nil)
    }

    /// Ends the fetch of `ticket` if it is still waiting.
    private func abandon(_ ticket: Ticket, _ error: TransferError) {
        guard let index = waiting.firstIndex(where: { $0.ticket === ticket }) else { return }
        waiting.remove(at: index).fail(error)
    }

    func startWaiting() {
        while active.count < maximumActive, !waiting.isEmpty, !isStopped { start(waiting.removeFirst()) }
    }

    private func start(_ entry: Waiting) {
        entry.timer?.cancel()
        begin(entry)
    }

    /// A handle for `request`, which has not been prepared; nil without memory.
    private func handle(for request: OutgoingRequest) -> EasyHandle? {
        let policy = request.policy
        // A proxy needs the whole URL as the target.
        let url = policy.proxy == nil ? request.url.withExposedText(RequestURL.init) : nil
        let base = url.flatMap { parsed($0.base) }
        if let base, let spare = spares.take(policy, base) { return spare }
        let origin = base.flatMap { policy.unixSocketPath == nil ? $0.origin : nil } ?? Origin(request)
        guard let handle = EasyHandle(policy, base, origin: origin, owner: self) else { return nil }
        handle.setCloser(
            { context, socket in MultiHandle.at(context).close(socket) }, Unmanaged.passUnretained(self).toOpaque())
        return handle
    }

    /// Reuses connections to the upstream of `request` again.
    func trust(_ request: OutgoingRequest) { suspects.remove(Origin(request)) }

    private func parsed(_ base: Substring) -> ParsedBase? {
        if let known = bases[base] { return known }
        guard let parsed = ParsedBase(base) else { return nil }
        if bases.count >= Self.maximumBases { bases.removeAll() }
        bases[parsed.text[...]] = parsed
        return parsed
    }

    /// Gives a transfer to libcurl, on a new connection if it `isRetry`.
    private func begin(_ entry: Waiting, isRetry: Bool = false, after copied: AnswerSketch? = nil) {
        let left = (entry.deadline - .now).wholeMilliseconds
        guard left >= 1 else { return entry.fail(.tooSlow) }
        guard let handle = handle(for: entry.request) else { return entry.fail(TransferError(CURLE_OUT_OF_MEMORY)) }
        handle.prepare(entry.request, milliseconds: left, isRetry: isRetry)
        if entry.request.needsNewConnection { suspects.insert(handle.origin, at: shard.now) }
        let isSuspect = suspects.contains(handle.origin, at: shard.now)
        handle.transfer.isToSuspect = isSuspect
        if isSuspect || isRetry || isInDoubt(handle.origin) { handle.setFreshConnection(isLast: isSuspect) }
        if let name = entry.request.policy.name, let addresses = entry.request.addresses, known[name] !== addresses {
            handle.setAddresses(addresses, of: name)
            known[name] = addresses
        }
        let transfer = Active(handle, entry, isRetry: isRetry, copied: copied, start: shard.now)
        weir_set_private(handle.pointer, Unmanaged.passUnretained(transfer).toOpaque())
        guard curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
            return entry.fail(TransferError(CURLE_OUT_OF_MEMORY))
        }
        transfer.place = active.count
        active.append(transfer)
        watchTransfers()
        if let timeout = entry.request.firstByteTimeout { limitFirstByte(of: transfer, to: timeout) }
    }

    /// Ends a transfer whose response has not begun after `timeout`.
    private func limitFirstByte(of transfer: Active, to timeout: Duration) {
        transfer.firstByteTimer = shard.schedule(at: .now + timeout) { [weak self, weak transfer] in
            guard let self, let transfer, !transfer.handle.hasFinalStatus else { return }
            giveUp(transfer, .silent)
            startWaiting()
        }
    }

    /// The transfer of a libcurl handle; nil for a handle of libcurl's own, with which it closes connections.
    private static func transfer(of easy: UnsafeMutableRawPointer) -> Active? {
        weir_get_private(easy).map { Unmanaged<Active>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Takes a transfer from libcurl, which runs callbacks for it until then.
    func remove(_ transfer: Active) {
        guard let place = transfer.place else { return }
        // It closes connections, and OpenSSL reads from them before.
        floods.watch { _ = curl_multi_remove_handle(multi, transfer.handle.pointer) }
        transfer.firstByteTimer?.cancel()
        active[place] = active[active.count - 1]
        active[place].place = place
        active.removeLast()
        transfer.place = nil
    }

    func finish(_ transfer: Active, _ result: Result<IncomingResponse, TransferError>) {
        remove(transfer)
        if case .failure = result { transfer.handle.noteFailure(to: transfer.waiting.request) }
        // libcurl may not have begun with the transfer, and so not have taken its addresses.
        if case .failure(.cancelled) = result, let name = transfer.waiting.request.policy.name { known[name] = nil }
        switch result {
        case .success: spares.keep(transfer.handle)
        case .failure(.cancelled), .failure(.tooLarge): endAbandoned(transfer)
        case .failure(let error) where error.isSlowAnswer: endAbandoned(transfer)
        case .failure: break
        }
        transfer.waiting.complete(result)
    }

    /// Completes a transfer that libcurl has finished with `code`, or begins it again.
    func settle(_ transfer: Active, _ code: CURLcode) {
        var result = transfer.handle.result(code)
        if case .failure(.brokenOff) = result {
            noteBreak(of: transfer)
            if isFlooded(transfer.handle) { result = .failure(.malformed(reason: "it floods the connection")) }
        }
        if transfer.handle.hasSurplus || transfer.handle.isMisplaced(result) {
            suspects.insert(transfer.handle.origin, at: shard.now)
        }
        if case .failure(let error) = result, error.isSlowAnswer { retireSilent(after: transfer) }
        let copied: AnswerSketch? =
            switch result {
            case .success(let response): copiedAnswer(response, to: transfer)
            case .failure: nil
            }
        guard copied != nil || !transfer.isRetry && transfer.handle.deservesRetry(result) else {
            return finish(transfer, result)
        }
        remove(transfer)
        begin(transfer.waiting, isRetry: true, after: copied)
    }
}

// libcurl's requests. Its callbacks only record them; results are collected outside of the callbacks.
extension MultiHandle {
    private func watch(_ descriptor: curl_socket_t, _ what: Int32, of easy: UnsafeMutableRawPointer?) {
        noteProgress()
        let interest: Readiness? =
            switch what {
            case CURL_POLL_IN: .readable
            case CURL_POLL_OUT: .writable
            case CURL_POLL_INOUT: [.readable, .writable]
            default: nil
            }
        if let interest {
            let known = sockets[descriptor]
            let socket = known ?? addSocket(descriptor)
            socket.use(for: interest)
            guard let transfer = easy.flatMap(Self.transfer) else { return }
            if known == nil { noteNewConnection(of: transfer, on: descriptor) }
            begin(transfer.handle, on: socket)
        } else if let transfer = easy.flatMap(Self.transfer) {
            end(transfer.handle, on: descriptor)
        } else {
            forget(descriptor)
        }
    }

    func addSocket(_ descriptor: curl_socket_t) -> UpstreamSocket {
        let socket = UpstreamSocket(descriptor, self, on: shard)
        sockets[descriptor] = socket
        floods.add(descriptor)
        return socket
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
        if let timer, timer.moment <= timeout { return }
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
        floods.watch { _ = curl_multi_socket_action(multi, socket, events, &running) }
        settleDone()
    }

    func noteProgress() { floods.noteProgress() }

    func transferNeedsTurn() {
        needsTurns = true
        collectSoon()
    }

    func collectSoon() {
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
        while let socket = broken.popLast() { drive(socket, .readable) }
        // First, because a transfer that libcurl has finished cannot be resumed.
        settleDone()
        if needsTurns {
            takeTurns()
            settleDone()
            needsTurns = active.contains { $0.handle.needsTurn }
        }
        isCollecting = false
        if isDue || needsTurns || !broken.isEmpty { collectSoon() }
    }

    /// Completes the transfers that libcurl has finished; each at once, while its body is in the processor's cache.
    private func settleDone() {
        var code = CURLE_OK
        while let pointer = weir_multi_next_done(multi, &code) {
            guard let transfer = Self.transfer(of: pointer) else { continue }
            // Now, because the next transfer can use the connection while the body is still being decoded.
            if !transfer.handle.transfer.isSocketUnused { noteUnseenEnd(of: transfer.handle) }
            if code == CURLE_OK, transfer.handle.needsTurn {
                transfer.code = code
            } else {
                settle(transfer, code)
            }
        }
        startWaiting()
    }
}
