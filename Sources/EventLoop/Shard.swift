import CSystem
import Dispatch
import Glibc
import Synchronization

/// One event loop on one thread: the sockets, timers and tasks that are its own are touched by it alone.
///
/// The loop is a single block on a serial dispatch queue, which waits in epoll. What comes from other threads comes
/// through `post` or as a job of a task that prefers this shard as its executor.
public final class Shard: @unchecked Sendable {
    // Unchecked: everything but `mailbox`, `loopThread` and constants is touched by the loop's thread only.

    private enum Message {
        case work(@Sendable () -> Void)
        case job(UnownedJob)
    }

    /// The shard's number, from 0.
    public let index: Int

    private let queue: DispatchQueue
    /// Nil once the loop has ended and nobody reads it any more.
    private let mailbox = Mutex<[Message]?>([])
    private let loopThread = Atomic<UInt>(0)
    private let wakeUp: Int32
    private var poller: Poller
    private var timers = TimerQueue()
    /// Jobs made ready by the loop itself, which need neither lock nor wake-up.
    private var ready: [UnownedJob] = []
    private var beforeWaiting: [() -> Void] = []
    private var isStopping = false

    /// The time when the loop last woke.
    public private(set) var now = MonotonicTime.now

    /// A shard that has not started.
    /// - Throws: `SystemError` when the system is out of descriptors.
    public init(index: Int) throws {
        self.index = index
        queue = DispatchQueue(label: "weir.shard.\(index)")
        poller = try Poller()
        wakeUp = poller.wakeUp
    }

    /// Starts the loop.
    ///
    /// It runs until `stop`.
    public func start() {
        queue.async { [self] in run() }
    }

    /// Ends the loop after what is ready has run.
    ///
    /// `whenStopped` is called on the loop's thread as its last act.
    public func stop(whenStopped: @escaping @Sendable () -> Void = {}) {
        post { [self] in
            isStopping = true
            beforeWaiting.append(whenStopped)
        }
    }

    /// Whether this is the loop's own thread.
    public var isCurrent: Bool { loopThread.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs `work` on the loop, soon; lets go of it when the loop has ended.
    ///
    /// From any thread.
    public func post(_ work: @escaping @Sendable () -> Void) { deliver(.work(work)) }

    private func deliver(_ message: Message) {
        let wasEmpty = mailbox.withLock { messages in
            messages?.append(message)
            return messages?.count == 1
        }
        guard wasEmpty else { return }
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the loop is awake already.
        write(wakeUp, &one, 8)
    }

    private func run() {
        loopThread.store(UInt(pthread_self()), ordering: .relaxed)
        while !isStopping {
            runReady()
            runBeforeWaiting()
            let count = poller.wait(milliseconds: timeToWait())
            now = .now
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

    /// What is left in it may hold the shard, which holds the mailbox.
    private func closeMailbox() {
        let left = mailbox.withLock { messages in
            defer { messages = nil }
            return messages
        }
        // Goes outside of the lock, as it may post on its way.
        withExtendedLifetime(left) {}
    }

    private func timeToWait() -> Int32 {
        if !ready.isEmpty || !beforeWaiting.isEmpty || isStopping { return 0 }
        guard let first = timers.first else { return -1 }
        let left = (first - .now).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        // Rounded up, so that the timer is due when the wait ends.
        let milliseconds =
            left.seconds.multipliedReportingOverflow(by: 1000).partialValue
            + left.attoseconds / 1_000_000_000_000_000 + 1
        return Int32(clamping: min(milliseconds, 3_600_000))
    }

    private func runReady() {
        // Jobs that these make ready wait for the next turn, so that they cannot starve the sockets.
        let jobs = ready
        ready.removeAll(keepingCapacity: true)
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    private func runBeforeWaiting() {
        let hooks = beforeWaiting
        beforeWaiting.removeAll(keepingCapacity: true)
        for hook in hooks { hook() }
    }

    private func runDueTimers() {
        while let timer = timers.popDue(at: now) {
            let action = timer.action
            timer.action = nil
            action?()
        }
    }

    private func readMailbox() {
        let messages = mailbox.withLock { messages in
            let taken = messages ?? []
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
    /// Takes a job of a task that prefers this shard.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent { ready.append(job) } else { deliver(.job(job)) }
    }
}

// What follows is for the loop's own thread.
extension Shard {
    /// A watched descriptor.
    public struct Watch: Sendable {
        fileprivate let token: Poller.Token
    }

    /// Tells `handler` when `socket` is ready.
    /// - Throws: `SystemError` when the system is out of memory or watches.
    public func watch(_ socket: Socket, for interest: Readiness, _ handler: any ReadinessHandler) throws -> Watch {
        try watch(descriptor: socket.descriptor, for: interest, handler)
    }

    /// Tells `handler` when a connection waits at `listener`.
    /// - Throws: `SystemError` when the system is out of memory or watches.
    public func watch(_ listener: ListeningSocket, _ handler: any ReadinessHandler) throws -> Watch {
        try watch(descriptor: listener.socket.descriptor, for: [.readable, .exclusive], handler)
    }

    /// Tells `handler` when a descriptor that somebody else owns is ready.
    /// - Throws: `SystemError` when the system is out of memory or watches.
    public func watch(
        descriptor: Int32, for interest: Readiness, _ handler: any ReadinessHandler
    ) throws -> Watch {
        Watch(token: try poller.add(descriptor, for: interest, handler))
    }

    /// Changes what a descriptor is watched for.
    public func change(_ watch: Watch, to interest: Readiness) { poller.change(watch.token, to: interest) }

    /// Watches a descriptor no longer.
    ///
    /// Must come before it is closed.
    public func remove(_ watch: Watch) { poller.remove(watch.token) }

    /// Runs `action` at `deadline` or a little later, unless it is cancelled.
    @discardableResult
    public func schedule(at deadline: MonotonicTime, _ action: @escaping () -> Void) -> ShardTimer {
        let timer = ShardTimer(action)
        timers.insert(timer, at: deadline)
        return timer
    }

    /// Runs `action` once, after the events at hand and before the loop waits again.
    public func runBeforeWaiting(_ action: @escaping () -> Void) { beforeWaiting.append(action) }
}
