// Unsafe: descriptors are used while the lock is held, which `remove` takes before a descriptor is closed.
import CCurl
import Dispatch
import EventLoop
import Glibc
import Synchronization

/// Ends a connection whose bytes keep an event loop within one call of libcurl.
///
/// libcurl reads frames of HTTP/2, and OpenSSL messages of TLS, until none are left. An upstream that sends such without an
/// effect as fast as they are read would keep the loop there, past all deadlines. Another thread looks at the call, and at
/// whether callbacks run meanwhile, which excuse a call for 200 ms at most.
final class FloodGuard: Sendable {
    /// How often the thread looks, while there are calls.
    private static let interval = DispatchTimeInterval.milliseconds(50)
    /// The looks at one call after which a connection is ended.
    private static let patience = 3
    /// The looks at one call after which callbacks do not matter.
    private static let longCall = 4
    /// The looks without a call after which the thread stops.
    private static let maximumIdle = 200
    /// What a flood has at least between two looks.
    private static let leastBytes = 1024

    private struct State {
        /// The bytes that had arrived on each socket at the last look at the same call; 0 if they are not known.
        var received: [Int32: Int] = [:]
        var ended: Set<Int32> = []
        var lastCall = 0
        /// The number of the call that is looked at, and the looks at it, whatever callbacks ran.
        var number = 0, length = 0
        var looks = 0, idle = 0
    }

    /// Odd during a call, and another number after each callback.
    private let calls = Atomic(0)
    private let begun = Atomic(0)
    private let isLooking = Atomic(false)
    private let state = Mutex(State())
    // Unsafe: Dispatch's sources can be used by several threads.
    private nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: .global())

    init() {
        timer.setEventHandler { [weak self] in self?.look() }
        timer.activate()
    }

    deinit { timer.cancel() }

    /// Calls libcurl with `body`; on one thread at a time.
    func watch(_ body: () -> Void) {
        begun.store(begun.load(ordering: .relaxed) + 1, ordering: .relaxed)
        calls.store(calls.load(ordering: .relaxed) + 1, ordering: .relaxed)
        if !isLooking.load(ordering: .relaxed) { start() }
        body()
        calls.store(calls.load(ordering: .relaxed) + 1, ordering: .relaxed)
    }

    /// Notes that a callback runs: libcurl gets on.
    func noteProgress() { calls.store(calls.load(ordering: .relaxed) + 2, ordering: .relaxed) }

    /// Adds a socket of libcurl.
    func add(_ socket: Int32) { state.withLock { $0.received[socket] = 0 } }

    /// Removes a socket, before it is closed.
    /// - Returns: Whether it was ended because of a flood.
    func remove(_ socket: Int32) -> Bool {
        state.withLock { state in
            state.received[socket] = nil
            return !state.ended.isEmpty && state.ended.remove(socket) != nil
        }
    }

    /// Whether a socket was ended because of a flood, and has not been removed since.
    func hasEnded(_ socket: Int32) -> Bool { state.withLock { $0.ended.contains(socket) } }

    private func start() {
        isLooking.store(true, ordering: .relaxed)
        timer.schedule(deadline: .now() + Self.interval, repeating: Self.interval)
    }

    private func look() {
        state.withLock { state in
            let call = calls.load(ordering: .relaxed)
            let isSame = call == state.lastCall
            state.lastCall = call
            let number = begun.load(ordering: .relaxed)
            state.length = number == state.number && call % 2 == 1 ? state.length + 1 : 0
            state.number = number
            guard isSame || state.length >= Self.longCall, call % 2 == 1 else {
                (state.looks, state.idle) = (0, isSame ? state.idle + 1 : 0)
                if state.idle >= Self.maximumIdle {
                    timer.schedule(deadline: .distantFuture)
                    isLooking.store(false, ordering: .relaxed)
                    state.idle = 0
                }
                return
            }
            state.looks += 1
            if state.looks == 1 { for socket in state.received.keys { state.received[socket] = 0 } }
            // What other sockets receive meanwhile is not read, and fills their buffers at once.
            var most: (socket: Int32, bytes: Int) = (-1, Self.leastBytes)
            for (socket, before) in state.received {
                let received = Int(weir_received_bytes(socket))
                if before > 0, received - before > most.bytes { most = (socket, received - before) }
                state.received[socket] = received
            }
            guard state.looks >= Self.patience, most.socket >= 0 else { return }
            shutdown(most.socket, Int32(SHUT_RDWR))
            state.ended.insert(most.socket)
            state.looks = 0
        }
    }
}

extension MultiHandle {
    /// Whether the connection of a transfer was ended because of a flood, or another one to its upstream not long ago.
    func isFlooded(_ handle: EasyHandle) -> Bool {
        // libcurl keeps some for a while.
        if let socket = openSocket(of: handle), floods.hasEnded(socket.descriptor) {
            flooding.insert(handle.origin, at: shard.now)
        }
        return flooding.contains(handle.origin, at: shard.now)
    }
}
