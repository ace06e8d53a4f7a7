import EventLoop
import Synchronization

/// Counts the calls since midnight in UTC.
final class CallCounter: Sendable {
    private static let secondsPerDay = 86_400

    private let today = Mutex((day: 0, calls: 0))

    /// Counts a call at `now`, in unix seconds, and returns how many there were on its day.
    func next(now: Int = WallClock.seconds) -> Int {
        today.withLock { today in
            let day = now / Self.secondsPerDay
            today = today.day == day ? (day, today.calls + 1) : (day, 1)
            return today.calls
        }
    }
}
