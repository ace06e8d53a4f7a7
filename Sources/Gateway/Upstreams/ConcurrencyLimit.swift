import EventLoop

/// Finds how many requests an upstream can serve at a time, from how long its transfers take.
///
/// A value without I/O. It judges one window of transfers after another: when they take twice as long as in the best
/// window, or time out, they wait at the upstream, and the limit falls by a fifth; when they take hardly longer and the
/// limit was reached, it grows by a tenth. The first window of each round runs with a quarter of the limit, so that the
/// best window is one without waiting even if the upstream is busy all the time.
struct ConcurrencyLimit: Sendable {
    /// A transfer, as far as it says something about the upstream's load.
    enum Outcome: Sendable, Equatable {
        case served(Duration)
        /// The upstream took too long, or said that it has too much to do.
        case overloaded

        /// Returns nil for errors that come fast and have other reasons.
        init?(status: Int, _ duration: Duration) {
            switch status {
            case 408, 429, 503, 504: self = .overloaded
            case 500...: return nil
            default: self = .served(duration)
            }
        }
    }

    private static let first = 4
    private static let windowsPerRound = 32
    private static let transfersPerWindow = 20
    private static let shortestWindow = Duration.milliseconds(100)

    private var maximum: Int
    /// The limit, except at the start of a round.
    private var limit: Int
    private var window: Window?
    /// The number of windows in this round.
    private var windows = 0
    /// The means of the best windows in this round and in the one before.
    private var best: Duration?, bestBefore: Duration?

    private struct Window: Sendable {
        let start: MonotonicTime
        private(set) var served = 0, overloaded = 0, mostUsed = 0
        private var time = Duration.zero

        init(start: MonotonicTime) { self.start = start }

        var transfers: Int { served + overloaded }
        var mean: Duration? { served > 0 ? time / served : nil }

        mutating func add(_ outcome: Outcome, used: Int, at now: MonotonicTime) {
            mostUsed = max(mostUsed, used)
            switch outcome {
            case .overloaded: overloaded += 1
            case .served(let duration):
                // One that began earlier was under another limit.
                guard duration <= now - start else { return }
                served += 1
                time += duration
            }
        }
    }

    init(maximum: Int) {
        self.maximum = maximum
        limit = min(Self.first, maximum)
    }

    /// The requests that may be under way now.
    var current: Int { isProbing ? (limit + 3) / 4 : limit }

    mutating func update(maximum: Int) {
        self.maximum = maximum
        limit = min(limit, maximum)
    }

    /// Notes a transfer that ended while `used` requests were under way.
    mutating func note(_ outcome: Outcome, used: Int, at now: MonotonicTime) {
        var window = window ?? Window(start: now)
        window.add(outcome, used: used, at: now)
        self.window = window
        guard window.transfers >= Self.transfersPerWindow, now - window.start >= Self.shortestWindow else { return }
        judge(window)
        self.window = Window(start: now)
    }

    /// A round starts with its probe, except for the first one, which has nothing to compare.
    private var isProbing: Bool { windows == 0 && bestBefore != nil }

    private mutating func judge(_ window: Window) {
        if let mean = window.mean { best = min(best ?? mean, mean) }
        if !isProbing { adjust(window) }
        windows += 1
        guard windows == Self.windowsPerRound else { return }
        (windows, bestBefore, best) = (0, best ?? bestBefore, nil)
    }

    private mutating func adjust(_ window: Window) {
        let usual = [best, bestBefore].compactMap(\.self).min()
        guard let mean = window.mean, let usual, mean <= usual * 2, window.overloaded * 20 <= window.served else {
            limit = max(1, limit * 4 / 5)
            return
        }
        if mean <= usual * 3 / 2, window.mostUsed >= current {
            limit = min(maximum, limit + max(1, limit / 10))
        }
    }
}
