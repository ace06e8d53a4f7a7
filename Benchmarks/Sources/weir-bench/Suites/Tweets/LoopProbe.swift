import EventLoop
import Foundation
import Synchronization

/// Looks at the clock once in each turn of an event loop, which so never sleeps, and tells how long the longest turn was.
///
/// What counts is the processor time of the loop's own thread, so that a busy machine is not taken for a busy loop.
final class LoopProbe: Sendable {
    /// The longest that a loop was held, in milliseconds.
    struct Held {
        /// By the processor time of its thread.
        var processor = 0.0
        /// By the clock on the wall, whatever else the machine did.
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

    /// The longest that the loop is held while `work` is done elsewhere.
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

    /// Looks in this turn and, as the loop reads its mailbox once a turn, in each after it.
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
