import CSystem
import Dispatch
import Glibc
import Synchronization

/// An event loop on one thread, which alone touches the loop's sockets, timers and tasks.
///
/// The loop is a single block on a serial dispatch queue, and waits in epoll. Work from other threads arrives through
/// `post`, or as a job of a task that prefers this shard as its executor.
public final class Shard: @unchecked Sendable {
    // Unchecked: only the loop's thread touches anything but `mailbox`, `loopThread` and constants.

    private enum Message {
        case work(@Sendable () -> Void)
        case job(UnownedJob)
    }

    /// The shard's number, from 0.
    public let index: Int

    private let queue: DispatchQueue
    /// Nil once the loop has ended.
    private let mailbox = Mutex<[Message]?>([])
    private let loopThread = Atomic<UInt>(0)
    private let wakeUp: Int32
    /// When the loop last woke, in nanoseconds, for other threads.
    private let lastTurn = Atomic<UInt64>(MonotonicTime.now.nanoseconds)
    // Unchecked: no access to these lasts while a handler, a job, a hook or a timer runs, and each event accesses them.
    @exclusivity(unchecked) private var poller: Poller
    @exclusivity(unchecked) private var timers = TimerQueue()
    /// Jobs enqueued by the loop's own thread; they need neither the lock nor a wake-up.
    @exclusivity(unchecked) private var ready: [UnownedJob] = []
    /// The jobs that run now; empty otherwise.
    @exclusivity(unchecked) private var running: [UnownedJob] = []
    @exclusivity(unchecked) private var beforeWaiting: [() -> Void] = []
    /// The hooks that run now; empty otherwise.
    @exclusivity(unchecked) private var runningHooks: [() -> Void] = []
    private var isStopping = false

    // Private, so that the compiler sees that no access to it overlaps another, and leaves the checks for that out.
    private var lastWake = MonotonicTime.now

    /// The time at which the loop last woke.
    public var now: MonotonicTime { lastWake }

    /// A shard that has not started.
    /// - Throws: `SystemError` if the system is out of descriptors.
    public init(index: Int) throws {
        self.index = index
        queue = DispatchQueue(label: "weir.shard.\(index)")
        poller = try Poller()
        wakeUp = poller.wakeUp
    }

    /// Starts the loop, which runs until `stop`.
    public func start() {
        queue.async { [self] in run() }
    }

    /// Ends the loop after everything that is ready has run.
    ///
    /// `whenStopped` is called on the loop's thread as its last action.
    public func stop(whenStopped: @escaping @Sendable () -> Void = {}) {
        post { [self] in
            isStopping = true
            beforeWaiting.append(whenStopped)
        }
    }

    /// Whether the caller runs on the loop's thread.
    public var isCurrent: Bool { loopThread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Whether the loop has turned within `duration` before `now`; a loop that waits for events has not.
    ///
    /// Can be called on any thread.
    public func hasTurned(within duration: Duration, before now: MonotonicTime) -> Bool {
        now <= MonotonicTime(nanoseconds: lastTurn.load(ordering: .relaxed)) + duration
    }

    /// Runs `work` on the loop as soon as possible; releases it without running it once the loop has ended.
    ///
    /// Can be called on any thread.
    public func post(_ work: @escaping @Sendable () -> Void) { deliver(.work(work)) }

    private func deliver(_ message: Message) {
        let wasEmpty = mailbox.withLock { messages in
            messages?.append(message)
            return messages?.count == 1
        }
        guard wasEmpty else { return }
        var one: UInt64 = 1
        // Fails only if the counter is full, and then the loop wakes anyway.
        write(wakeUp, &one, 8)
    }

    private func run() {
        loopThread.store(UInt(pthread_self()), ordering: .relaxed)
        while !isStopping {
            runReady()
            runBeforeWaiting()
            let count = poller.wait(milliseconds: timeToWait())
            lastWake = .now
            lastTurn.store(lastWake.nanoseconds, ordering: .relaxed)
            for index in 0..<count {
                guard let event = poller.event(at: index) else { continue }
                event.handler.descriptorIsReady(event.readiness)
            }
            runDueTimers()
            readMailbox()
        }
        runReady()
        runBeforeWaiting()
        closeMailbox()
        loopThread.store(0, ordering: .relaxed)
    }

    /// Breaks the reference cycle of the shard and the messages in its mailbox.
    private func closeMailbox() {
        let left = mailbox.withLock { messages in
            defer { messages = nil }
            return messages
        }
        // Released outside of the lock, because a deinit can post.
        withExtendedLifetime(left) {}
    }

    private func timeToWait() -> Int32 {
        if !ready.isEmpty || !beforeWaiting.isEmpty || isStopping { return 0 }
        guard let first = timers.first else { return -1 }
        let now = MonotonicTime.now
        guard first > now else { return 0 }
        // Rounded up, so that the timer is due when the wait ends; an hour at most, which fits into Int32.
        return Int32(min((first.nanoseconds - now.nanoseconds) / 1_000_000 + 1, 3_600_000))
    }

    private func runReady() {
        if ready.isEmpty { return }
        // Jobs that become ready meanwhile run later, so they cannot starve the sockets.
        swap(&ready, &running)
        for job in running { job.runSynchronously(on: asUnownedTaskExecutor()) }
        running.removeAll(keepingCapacity: true)
    }

    private func runBeforeWaiting() {
        if beforeWaiting.isEmpty { return }
        // Swapped and not copied: a copy would share the storage, and each turn would allocate another one.
        swap(&beforeWaiting, &runningHooks)
        for hook in runningHooks { hook() }
        runningHooks.removeAll(keepingCapacity: true)
    }

    private func runDueTimers() {
        while let timer = timers.popDue(at: now) {
            let action = timer.action
            timer.action = nil
            action?()
        }
    }

    private func readMailbox() {
        let messages = mailbox.withLock { messages -> [Message] in
            guard let taken = messages, !taken.isEmpty else { return [] }
            messages?.removeAll(keepingCapacity: taken.count < 1024)
            return taken
        }
        for message in messages {
            switch message {
            case .work(let work): work()
            case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }
}

extension Shard: TaskExecutor {
    /// Enqueues a job of a task that prefers this shard.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent { ready.append(job) } else { deliver(.job(job)) }
    }
}

// Call these on the loop's thread only.
extension Shard {
    /// Calls `handler` when `socket` is ready.
    /// - Throws: `SystemError` if the system is out of memory or watches.
    public func watch(_ socket: Socket, for interest: Readiness, _ handler: any ReadinessHandler) throws -> Watch {
        try watch(descriptor: socket.descriptor, for: interest, handler)
    }

    /// Calls `handler` when a connection is waiting at `listener`.
    /// - Throws: `SystemError` if the system is out of memory or watches.
    public func watch(_ listener: ListeningSocket, _ handler: any ReadinessHandler) throws -> Watch {
        try watch(descriptor: listener.socket.descriptor, for: [.readable, .exclusive], handler)
    }

    /// Calls `handler` when a descriptor that another library owns is ready.
    /// - Throws: `SystemError` if the system is out of memory or watches.
    public func watch(descriptor: Int32, for interest: Readiness, _ handler: any ReadinessHandler) throws -> Watch {
        try poller.add(descriptor, for: interest, handler)
    }

    /// Changes the events for which a descriptor is watched.
    public func change(_ watch: Watch, to interest: Readiness) { poller.change(watch, to: interest) }

    /// Ends a watch; must be called before the descriptor is closed.
    public func remove(_ watch: Watch) { poller.remove(watch) }

    /// Runs `action` at `deadline` or a little later, unless the timer is cancelled.
    @discardableResult
    public func schedule(at deadline: MonotonicTime, _ action: @escaping () -> Void) -> ShardTimer {
        let timer = ShardTimer(action)
        timers.insert(timer, at: deadline)
        return timer
    }

    /// Runs `action` once, after the current events and before the loop waits again.
    public func runBeforeWaiting(_ action: @escaping () -> Void) { beforeWaiting.append(action) }
}

/// Threads for work that would block an event loop for too long, as many as there are processors.
///
/// Tasks without a shard, such as the task for signals, have other threads: Dispatch has some for each quality of service.
public enum WorkPool {
    private static let queue = DispatchQueue.global(qos: .utility)

    /// Returns the result of `work`, which must not block.
    public static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in start { continuation.resume(returning: work()) } }
    }

    /// Starts `work`, which must not block, without waiting for its end.
    public static func start(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

/// A value that belongs to one shard: any thread can pass it on, only the shard's thread can access it.
public struct ShardBound<Value>: @unchecked Sendable {
    // Unchecked: `value` is passed out on its shard's thread only.

    /// The shard that the value belongs to.
    public let shard: Shard
    @usableFromInline let value: Value

    /// Binds `value`, which nothing else references, to `shard`.
    public init(_ value: Value, to shard: Shard) {
        self.value = value
        self.shard = shard
    }

    /// The value; traps if the caller does not run on its shard.
    @inlinable
    public var open: Value {
        precondition(shard.isCurrent, "a value of shard \(shard.index) was accessed on another thread")
        return value
    }

    /// Runs `body` with the value on its shard: immediately if the caller runs there, otherwise as soon as possible.
    public func run(_ body: @escaping @Sendable (Value) -> Void) {
        if shard.isCurrent { body(value) } else { post(body) }
    }

    /// Runs `body` with the value on its shard as soon as possible.
    public func post(_ body: @escaping @Sendable (Value) -> Void) {
        shard.post { body(value) }
    }
}
