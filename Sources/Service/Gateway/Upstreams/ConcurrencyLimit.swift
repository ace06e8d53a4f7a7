import EventLoop

/// Finds how many requests an upstream can serve at a time, from how long its transfers take.
///
/// A value without I/O. It judges one window of transfers after another: when they take twice as long as without load, or
/// time out, they wait at the upstream, and the limit falls by a fifth; when they take hardly longer and the limit was
/// reached, it grows by a tenth. How long they take without load is what the first window of each round shows, which runs
/// with a quarter of the limit, and each window of one request at a time. Times that vary for other reasons are no load:
/// so it is a mean of those windows, not their minimum.
struct ConcurrencyLimit: Sendable {
    /// A transfer, as far as it says something about the upstream's load.
    enum Outcome: Sendable, Equatable {
        case served(Duration)
        /// The upstream took too long, or said that it has too much to do.
        case overloaded

        /// Returns nil for answers without a document: they come fast for other reasons.
        init?(status: Int, _ duration: Duration) {
            switch status {
            case 200: self = .served(duration)
            case 408, 429, 503, 504: self = .overloaded
            default: return nil
            }
        }
    }

    private static let first = 4
    private static let windowsPerRound = 64
    private static let transfersPerWindow = 20
    private static let shortestWindow = Duration.milliseconds(100)
    private static let longestWait = Duration.seconds(2)

    private var maximum: Int
    /// The limit, except at the start of a round.
    private var limit: Int
    private var window: Window?
    /// The number of windows in this round.
    private var windows = 0
    /// How long transfers take without load, as far as it is known.
    private var usual: Duration?
    /// The mean of the latest window.
    private var mean = Duration.zero

    private struct Window: Sendable {
        let start: MonotonicTime
        private(set) var served = 0, overloaded = 0, mostUsed = 0
        private var time = Duration.zero

        init(start: MonotonicTime) { self.start = start }

        var transfers: Int { served + overloaded }
        var mean: Duration? { served > 0 ? time / served : nil }

        mutating func add(_ outcome: Outcome, used: Int) {
            mostUsed = max(mostUsed, used)
            switch outcome {
            case .overloaded: overloaded += 1
            case .served(let duration):
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
        // The transfers that began under a higher limit end first.
        guard now >= window.start else { return }
        window.add(outcome, used: used)
        self.window = window
        guard window.transfers >= Self.transfersPerWindow, now - window.start >= Self.shortestWindow else { return }
        judge(window)
        self.window = Window(start: isProbing ? now + min(mean * 2, Self.longestWait) : now)
    }

    /// A round starts with its probe, except for the first one, which has nothing to compare.
    private var isProbing: Bool { windows == 0 && usual != nil }

    private mutating func judge(_ window: Window) {
        if let mean = window.mean {
            self.mean = mean
            if windows == 0 || current == 1 { usual = usual.map { ($0 + mean) / 2 } ?? mean }
        }
        if !isProbing { adjust(window) }
        windows = (windows + 1) % Self.windowsPerRound
    }

    private mutating func adjust(_ window: Window) {
        guard let mean = window.mean, let usual, mean <= usual * 2, window.overloaded * 20 <= window.served else {
            limit = max(1, limit * 4 / 5)
            return
        }
        if mean <= usual * 3 / 2, window.mostUsed >= current {
            limit = min(maximum, limit + max(1, limit / 10))
        }
    }
}
