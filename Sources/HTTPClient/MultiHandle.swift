// Unsafe: libcurl's C interface. The handle owns its `CURLM *`, which `close` frees. The socket and timer callbacks get
// `self` unretained; `close` removes them before `self` goes, and they run on the shard's thread, inside curl calls only.
import CCurl
import EventLoop

/// libcurl's multi handle on the loop of one shard: the loop waits for the sockets and timeouts that libcurl names.
final class MultiHandle {
    typealias Completion = (Result<IncomingResponse, TransferError>) -> Void

    private struct Waiting {
        let request: OutgoingRequest
        let ticket: Ticket
        let deadline: MonotonicTime
        let complete: Completion
        var timer: ShardTimer?

        func fail(_ error: TransferError) {
            timer?.cancel()
            complete(.failure(error))
        }
    }

    private struct Active {
        let handle: EasyHandle
        let ticket: Ticket
        let complete: Completion
    }

    /// libcurl's global start, once and before the first handle.
    private static let globalStart: Void = { curl_global_init(Int(CURL_GLOBAL_DEFAULT)) }()

    private let shard: Shard
    private let maximumActive: Int
    private var multi: UnsafeMutableRawPointer?
    private var waiting: [Waiting] = []
    private var active: [UnsafeMutableRawPointer: Active] = [:]
    private var idle: [EasyHandle] = []
    private var watches: [curl_socket_t: Shard.Watch] = [:]
    private var timer: ShardTimer?
    private var isCollecting = false
    private var isStopped = false

    init(_ shard: Shard, maximumActive: Int) {
        self.shard = shard
        self.maximumActive = maximumActive
        Self.globalStart
        multi = curl_multi_init()
        let context = Unmanaged.passUnretained(self).toOpaque()
        weir_multi_set_socket(
            multi,
            { _, socket, what, context, _ in
                MultiHandle.at(context).watch(socket, what)
                return 0
            }, context)
        weir_multi_set_timer(
            multi,
            { _, milliseconds, context in
                MultiHandle.at(context).schedule(milliseconds)
                return 0
            }, context)
        weir_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maximumActive)
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> MultiHandle {
        Unmanaged<MultiHandle>.fromOpaque(context).takeUnretainedValue()
    }

    // If the loop ended before it could run `close`, no other thread touches the shard any more.
    deinit { close() }

    /// Starts a fetch as soon as fewer than `maximumActive` transfers run.
    func begin(_ request: OutgoingRequest, _ ticket: Ticket, _ complete: @escaping Completion) {
        if isStopped || multi == nil || ticket.isCancelled { return complete(.failure(.cancelled)) }
        if waiting.count >= Client.maximumWaiting { return complete(.failure(.queueFull)) }
        let deadline = MonotonicTime.now + request.deadline
        waiting.append(Waiting(request: request, ticket: ticket, deadline: deadline, complete: complete))
        startWaiting()
        guard waiting.last?.ticket === ticket else { return }
        let timer = shard.schedule(at: deadline) { [weak self] in self?.abandon(ticket, .tooSlow) }
        waiting[waiting.count - 1].timer = timer
    }

    /// Ends the fetch of `ticket`.
    func cancel(_ ticket: Ticket) {
        abandon(ticket, .cancelled)
        guard let (pointer, transfer) = active.first(where: { $0.value.ticket === ticket }) else { return }
        finish(pointer, transfer, .failure(.cancelled))
        startWaiting()
    }

    /// Ends all fetches.
    func stop() {
        isStopped = true
        for entry in waiting { entry.fail(.cancelled) }
        waiting.removeAll()
        for (pointer, transfer) in active { finish(pointer, transfer, .failure(.cancelled)) }
        timer?.cancel()
    }

    /// Ends all fetches and closes all connections.
    ///
    /// Runs on the shard while its loop runs, because it removes sockets from the loop's set.
    func close() {
        weir_multi_set_socket(multi, nil, nil)
        weir_multi_set_timer(multi, nil, nil)
        for watch in watches.values { shard.remove(watch) }
        watches.removeAll()
        stop()
        curl_multi_cleanup(multi)
        multi = nil
    }

    /// Ends the fetch of `ticket` if it is still waiting.
    private func abandon(_ ticket: Ticket, _ error: TransferError) {
        guard let index = waiting.firstIndex(where: { $0.ticket === ticket }) else { return }
        waiting.remove(at: index).fail(error)
    }

    private func startWaiting() {
        while active.count < maximumActive, !waiting.isEmpty, !isStopped { start(waiting.removeFirst()) }
    }

    private func start(_ entry: Waiting) {
        guard let handle = idle.popLast() ?? EasyHandle() else { return entry.fail(TransferError(CURLE_OUT_OF_MEMORY)) }
        let left = (entry.deadline - .now) / .milliseconds(1)
        guard left >= 1 else {
            idle.append(handle)
            return entry.fail(.tooSlow)
        }
        handle.prepare(entry.request, milliseconds: Int(left))
        guard curl_multi_add_handle(multi, handle.pointer) == CURLM_OK else {
            return entry.fail(TransferError(CURLE_OUT_OF_MEMORY))
        }
        entry.timer?.cancel()
        active[handle.pointer] = Active(handle: handle, ticket: entry.ticket, complete: entry.complete)
    }

    private func finish(
        _ pointer: UnsafeMutableRawPointer, _ transfer: Active, _ result: Result<IncomingResponse, TransferError>
    ) {
        // First, because libcurl allows changes to an easy handle only outside of its multi handle.
        curl_multi_remove_handle(multi, pointer)
        active.removeValue(forKey: pointer)
        transfer.handle.reset()
        if idle.count < Client.maximumActive { idle.append(transfer.handle) }
        transfer.complete(result)
    }
}

// libcurl's requests. Its callbacks only record them; results are collected once, after the current events.
extension MultiHandle {
    private func watch(_ socket: curl_socket_t, _ what: Int32) {
        let interest: Readiness? =
            switch what {
            case CURL_POLL_IN: .readable
            case CURL_POLL_OUT: .writable
            case CURL_POLL_INOUT: [.readable, .writable]
            default: nil
            }
        if let watch = watches[socket] {
            if let interest { return shard.change(watch, to: interest) }
            shard.remove(watch)
            watches[socket] = nil
        } else if let interest {
            // Without a watch the transfer ends at its deadline.
            watches[socket] = try? shard.watch(descriptor: socket, for: interest, SocketHandler(socket, self))
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

/// Reports the events of one of libcurl's sockets to libcurl.
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
