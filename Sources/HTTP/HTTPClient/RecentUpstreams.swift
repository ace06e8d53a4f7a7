import EventLoop

/// Upstreams that have done something not long ago.
struct RecentUpstreams {
    /// How long they are remembered.
    private let duration: Duration
    /// The upstreams, and when they are forgotten.
    private var ends: [Origin: MonotonicTime] = [:]

    init(for duration: Duration) { self.duration = duration }

    mutating func insert(_ origin: Origin, at now: MonotonicTime) { ends[origin] = now + duration }

    mutating func remove(_ origin: Origin) { ends[origin] = nil }

    /// Whether `origin` is one of them; forgets it when its time is over.
    mutating func contains(_ origin: Origin, at now: MonotonicTime) -> Bool {
        guard !ends.isEmpty, let end = ends[origin] else { return false }
        if end <= now { ends[origin] = nil }
        return end > now
    }
}
