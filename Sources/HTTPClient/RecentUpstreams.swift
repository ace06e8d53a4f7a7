import EventLoop

/// Upstreams that have done something in the last five minutes.
struct RecentUpstreams {
    private static let duration = Duration.seconds(300)

    /// The upstreams, and when they are forgotten.
    private var ends: [Origin: MonotonicTime] = [:]

    mutating func insert(_ origin: Origin, at now: MonotonicTime) { ends[origin] = now + Self.duration }

    /// Whether `origin` is one of them; forgets it when its time is over.
    mutating func contains(_ origin: Origin, at now: MonotonicTime) -> Bool {
        guard !ends.isEmpty, let end = ends[origin] else { return false }
        if end <= now { ends[origin] = nil }
        return end > now
    }
}
