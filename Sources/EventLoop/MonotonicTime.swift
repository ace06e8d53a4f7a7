import Glibc

/// A moment on the clock that only runs forward.
///
/// Deadlines are moments of this clock.
public struct MonotonicTime: Comparable, Sendable {
    /// Nanoseconds since an arbitrary start.
    public let nanoseconds: UInt64

    /// The moment at hand.
    public static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// The later of this moment and a moment `duration` after it; a negative duration counts as none.
    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return time }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, tooFar) = time.nanoseconds.addingReportingOverflow(whole &+ UInt64(attoseconds / 1_000_000_000))
        return MonotonicTime(nanoseconds: overflow || tooFar ? .max : sum)
    }

    /// How long it is from `start` to `end`; negative when `end` comes first.
    public static func - (end: MonotonicTime, start: MonotonicTime) -> Duration {
        .nanoseconds(Int64(bitPattern: end.nanoseconds &- start.nanoseconds))
    }

    /// Earlier moments come first.
    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// The time of day.
public enum WallClock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    public static var seconds: Int { milliseconds / 1000 }
}
