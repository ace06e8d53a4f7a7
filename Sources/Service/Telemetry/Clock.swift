public import EventLoop

/// The clocks of a service: a test supplies its own.
///
/// Timers of event loops run on the system's clock, so that waits last as long as ever.
public struct Clock: Sendable {
    /// Returns the current moment of the monotonic clock, for deadlines and durations.
    public let now: @Sendable () -> MonotonicTime
    /// Returns the time of day, in milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: @Sendable () -> Int

    /// The clocks of the system.
    public static let system = Clock(now: { .now }, milliseconds: { WallClock.milliseconds })

    /// Clocks that the functions read.
    public init(now: @escaping @Sendable () -> MonotonicTime, milliseconds: @escaping @Sendable () -> Int) {
        (self.now, self.milliseconds) = (now, milliseconds)
    }

    /// The time of day, in seconds since 1970-01-01T00:00:00Z.
    public var seconds: Int { milliseconds() / 1000 }
}
