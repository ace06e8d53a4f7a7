import EventLoop
import Foundation
import Synchronization

/// Reads the clock once per turn of an event loop and finds the longest turn.
///
/// The probe keeps the loop awake. It measures the processor time of the loop's thread, so that other processes on the
/// machine do not count.
final class LoopProbe: Sendable {
    /// The longest turn, in milliseconds.
    struct Held {
        /// The processor time of the loop's thread.
        var processor = 0.0
        /// The elapsed time.
        var wall = 0.0
    }

    private struct Look {
        let processor = time(CLOCK_THREAD_CPUTIME_ID)
        let wall = time(CLOCK_MONOTONIC)

        private static func time(_ clock: clockid_t) -> Double {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
        }
    }

    private struct Account {
        var last: Look?
        var held = Held()
    }

    private let shard: Shard
    private let isLooking = Atomic<Bool>(false)
    private let ended = DispatchSemaphore(value: 0)
    private let account = Mutex(Account())

    init(_ shard: Shard) { self.shard = shard }

    /// Returns the longest turn of the loop while `work` runs on this thread.
    func longest(during work: () throws -> Void) rethrows -> Held {
        account.withLock { $0 = Account() }
        isLooking.store(true, ordering: .relaxed)
        look()
        defer {
            isLooking.store(false, ordering: .relaxed)
            ended.wait()
        }
        try work()
        return account.withLock { $0.held }
    }

    /// Reads the clock in this turn and posts itself again; the loop reads its mailbox once per turn.
    private func look() {
        shard.post { [self] in
            take(Look())
            if isLooking.load(ordering: .relaxed) { look() } else { ended.signal() }
        }
    }

    private func take(_ look: Look) {
        account.withLock { account in
            if let last = account.last {
                account.held.processor = max(account.held.processor, look.processor - last.processor)
                account.held.wall = max(account.held.wall, look.wall - last.wall)
            }
            account.last = look
        }
    }
}
