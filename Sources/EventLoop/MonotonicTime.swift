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
        let nanoseconds = max(0, duration.attoseconds / 1_000_000_000)
        return MonotonicTime(nanoseconds: UInt64(clamping: Int128(time.nanoseconds) + nanoseconds))
    }

    /// How long it is from `start` to `end`; negative when `end` comes first.
    public static func - (end: MonotonicTime, start: MonotonicTime) -> Duration {
        Duration(attoseconds: (Int128(end.nanoseconds) - Int128(start.nanoseconds)) * 1_000_000_000)
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
