import EventLoop

/// The upstreams that have sent bytes which belong to no response; for a while, their connections are not reused.
///
/// A second answer can arrive after the next request is sent, and then nothing tells the two apart.
struct SuspectUpstreams {
    private static let duration = Duration.seconds(300)

    /// The upstreams, and when they are trusted again.
    private var ends: [Origin: MonotonicTime] = [:]

    mutating func insert(_ origin: Origin, at now: MonotonicTime) { ends[origin] = now + Self.duration }

    /// Whether `origin` is one of them; forgets it when its time is over.
    mutating func contains(_ origin: Origin, at now: MonotonicTime) -> Bool {
        guard !ends.isEmpty, let end = ends[origin] else { return false }
        if end <= now { ends[origin] = nil }
        return end > now
    }
}
