import CCurl
import EventLoop

/// libcurl's multi handle, driven by a shard's loop: libcurl says which sockets and which time to wait for, the loop
/// tells it when they come.
///
/// Belongs to one shard.
final class MultiHandle {
    typealias Completion = (Result<IncomingResponse, TransferError>) -> Void

    private struct Waiting {
        let request: OutgoingRequest
        let ticket: Ticket
        let deadline: MonotonicTime
        let complete: Completion
        var timer: ShardTimer?

        func end(_ error: TransferError) {
            timer?.cancel()
            complete(.failure(error))
        }
    }

    private struct Active {
        let handle: EasyHandle
        let ticket: Ticket
        let complete: Completion
    }

    private let shard: Shard
    private var multi: UnsafeMutableRawPointer?
    private var waiting: [Waiting] = []
    private var active: [UnsafeMutableRawPointer: Active] = [:]
    private var idle: [EasyHandle] = []
    private var sockets: [curl_socket_t: WatchedSocket] = [:]
    private var timer: ShardTimer?
    private var isCollecting = false
    private var isStopped = false

    init(_ shard: Shard) {
        self.shard = shard
        LibCurl.initialize
        multi = curl_multi_init()
        let context = Unmanaged.passUnretained(self).toOpaque()
        weir_multi_set_socket(
            multi,
            { _, socket, what, context, _ in
                guard let context else { return 0 }
                Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().watch(socket, what)
                return 0
            }, context)
        weir_multi_set_timer(
            multi,
            { _, milliseconds, context in
                guard let context else { return 0 }
                Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue().schedule(milliseconds)
                return 0
            }, context)
        weir_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Client.maximumActive)
    }

    /// Where the loop has ended before `close` ran, nobody else touches the shard any more.
    deinit { close() }

    /// Fetches as soon as it is this request's turn.
    func begin(_ request: OutgoingRequest, _ ticket: Ticket, _ complete: @escaping Completion) {
        if isStopped || multi == nil || ticket.isCancelled { return complete(.failure(.cancelled)) }
        if waiting.count >= Client.maximumWaiting { return complete(.failure(.queueFull)) }
        let deadline = MonotonicTime.now + request.deadline
        waiting.append(Waiting(request: request, ticket: ticket, deadline: deadline, complete: complete))
        startWaiting()
        guard waiting.last?.ticket === ticket else { return }
        let timer = shard.schedule(at: deadline) { [weak self] in self?.giveUp(ticket, .tooSlow) }
        waiting[waiting.count - 1].timer = timer
    }

    /// Ends a fetch that nobody waits for any more.
    func cancel(_ ticket: Ticket) {
        giveUp(ticket, .cancelled)
        guard let (pointer, transfer) = active.first(where: { $0.value.ticket === ticket }) else { return }
        finish(pointer, transfer, .failure(.cancelled))
        startWaiting()
    }

    /// Ends all fetches.
    func stop() {
        isStopped = true
        for entry in waiting { entry.end(.cancelled) }
        waiting.removeAll()
        for (pointer, transfer) in active { finish(pointer, transfer, .failure(.cancelled)) }
        timer?.cancel()
    }

    /// Ends all fetches and closes all connections.
    ///
    /// On the shard, while its loop runs: it takes the sockets out of the loop's set.
    func close() {
        // From here on nobody is to be told of sockets.
        weir_multi_set_socket(multi, nil, nil)
        weir_multi_set_timer(multi, nil, nil)
        for watched in sockets.values { shard.remove(watched.watch) }
        sockets.removeAll()
        stop()
        curl_multi_cleanup(multi)
        multi = nil
    }

    private func giveUp(_ ticket: Ticket, _ error: TransferError) {
        guard let index = waiting.firstIndex(where: { $0.ticket === ticket }) else { return }
        waiting.remove(at: index).end(error)
    }

    private func startWaiting() {
        while active.count < Client.maximumActive, !waiting.isEmpty, !isStopped { start(waiting.removeFirst()) }
    }

    private func start(_ entry: Waiting) {
        entry.timer?.cancel()
        guard let handle = idle.popLast() ?? EasyHandle() else { return entry.complete(.failure(.other(code: 27))) }
        let left = (entry.deadline - .now) / .milliseconds(1)
        guard left >= 1 else {
            idle.append(handle)
            return entry.complete(.failure(.tooSlow))
        }
        handle.prepare(entry.request, milliseconds: Int(left))
        active[handle.pointer] = Active(handle: handle, ticket: entry.ticket, complete: entry.complete)
        let code = curl_multi_add_handle(multi, handle.pointer)
        if code != CURLM_OK { active.removeValue(forKey: handle.pointer)?.complete(.failure(.other(code: 27))) }
    }

    /// The transfer leaves the multi handle first: only then may its easy handle be touched.
    private func finish(
        _ pointer: UnsafeMutableRawPointer, _ transfer: Active, _ result: Result<IncomingResponse, TransferError>
    ) {
        curl_multi_remove_handle(multi, pointer)
        active.removeValue(forKey: pointer)
        transfer.handle.reset()
        if idle.count < Client.maximumActive { idle.append(transfer.handle) }
        transfer.complete(result)
    }
}

// What libcurl asks for. Its callbacks only note it; results are collected once the events at hand are through.
extension MultiHandle {
    private func watch(_ socket: curl_socket_t, _ what: Int32) {
        let interest: Readiness? =
            switch what {
            case CURL_POLL_IN: .readable
            case CURL_POLL_OUT: .writable
            case CURL_POLL_INOUT: [.readable, .writable]
            default: nil
            }
        if let watched = sockets[socket] {
            if let interest { return shard.change(watched.watch, to: interest) }
            shard.remove(watched.watch)
            sockets[socket] = nil
        } else if let interest {
            let handler = SocketHandler(socket, self)
            // An unwatched transfer ends with its deadline.
            guard let watch = try? shard.watch(descriptor: socket, for: interest, handler) else { return }
            sockets[socket] = WatchedSocket(watch: watch, handler: handler)
        }
    }

    private func schedule(_ milliseconds: Int) {
        timer?.cancel()
        timer = nil
        guard milliseconds >= 0 else { return }
        timer = shard.schedule(at: .now + .milliseconds(milliseconds)) { [weak self] in
            self?.drive(CURL_SOCKET_TIMEOUT, 0)
        }
    }

    fileprivate func drive(_ socket: curl_socket_t, _ events: Int32) {
        var running: Int32 = 0
        curl_multi_socket_action(multi, socket, events, &running)
        guard !isCollecting else { return }
        isCollecting = true
        shard.runBeforeWaiting { [weak self] in self?.collect() }
    }

    private func collect() {
        isCollecting = false
        var code = CURLE_OK
        while let pointer = weir_multi_next_done(multi, &code) {
            guard let transfer = active[pointer] else { continue }
            finish(pointer, transfer, transfer.handle.result(code))
        }
        for (pointer, transfer) in active where transfer.handle.isPaused {
            let code = transfer.handle.resume()
            if code != CURLE_OK { finish(pointer, transfer, transfer.handle.result(code)) }
        }
        startWaiting()
    }
}

/// A socket of libcurl's in the shard's set.
private struct WatchedSocket {
    let watch: Shard.Watch
    let handler: SocketHandler
}

/// Tells libcurl that one of its sockets is ready.
private final class SocketHandler: ReadinessHandler {
    private let socket: curl_socket_t
    private weak var multi: MultiHandle?

    init(_ socket: curl_socket_t, _ multi: MultiHandle) {
        self.socket = socket
        self.multi = multi
    }

    func descriptorIsReady(_ readiness: Readiness) {
        var events: Int32 = 0
        if !readiness.isDisjoint(with: [.readable, .hungUp]) { events |= CURL_CSELECT_IN }
        if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
        if readiness.contains(.failed) { events |= CURL_CSELECT_ERR }
        multi?.drive(socket, events)
    }
}

/// libcurl's own start.
enum LibCurl {
    /// Done once, before the first handle.
    static let initialize: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()
}
