import Glibc

/// An instant on CLOCK_MONOTONIC, the clock of all deadlines.
public struct MonotonicTime: Comparable, Sendable {
    /// Nanoseconds since an arbitrary start.
    public let nanoseconds: UInt64

    /// The instant of `nanoseconds` since the start.
    public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    /// An instant that never comes.
    public static let distantFuture = MonotonicTime(nanoseconds: .max)

    /// The current instant.
    public static var now: MonotonicTime {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicTime(nanoseconds: UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec))
    }

    /// Returns the instant `duration` after `time`, clamped to the range of the type; a negative duration counts as 0.
    public static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime {
        let nanoseconds = max(0, duration.attoseconds / 1_000_000_000)
        return MonotonicTime(nanoseconds: UInt64(clamping: Int128(time.nanoseconds) + nanoseconds))
    }

    /// Returns the time from `start` to `end`, negative if `end` comes first.
    public static func - (end: MonotonicTime, start: MonotonicTime) -> Duration {
        Duration(attoseconds: (Int128(end.nanoseconds) - Int128(start.nanoseconds)) * 1_000_000_000)
    }

    /// Whether `left` is earlier than `right`.
    public static func < (left: MonotonicTime, right: MonotonicTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// The time of day.
public enum WallClock {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public static var milliseconds: Int { nanoseconds / 1_000_000 }

    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public static var nanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    public static var seconds: Int { milliseconds / 1000 }
}

extension Duration {
    /// The number of milliseconds, rounded towards zero; far less work than a division of durations, which are floating.
    public var wholeMilliseconds: Int { Int(clamping: attoseconds / 1_000_000_000_000_000) }
}
