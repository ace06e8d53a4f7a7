import EventLoop
import Synchronization
import Operations

/// The requests of one kind that an upstream still allows, as its answers say: no more than these are under way.
///
/// One may always be, because its answer shows whether there are more.
final class ReportedQuota: Sendable {
    private struct Number {
        let remaining: Int
        /// The number after the reset, if it is known.
        let limit: Int?
        /// When the upstream begins to count anew.
        let reset: MonotonicTime
        /// When the number became known.
        let noted: MonotonicTime
    }

    /// The seconds until a reset from which on a number counts: a lower one is over soon after it has arrived.
    private static let shortestReset = 2
    /// How long the limit counts after a reset, unless an answer says what is left.
    private static let start = Duration.seconds(60)

    private let latest = Mutex<Number?>(nil)
    private let underWay: Admission

    /// Up to `maximumWaiting` requests wait for others to end.
    init(maximumWaiting: Int) { underWay = Admission(capacity: .max, maximumWaiting: maximumWaiting) }

    /// The number of requests that wait.
    var waiting: Int { underWay.figures.waiting }

    /// Whether one more request could be made now.
    var hasRoom: Bool { underWay.hasRoom }

    /// Admits a request at `now` if the upstream allows one more; then the caller must `leave`.
    func enterNow(at now: MonotonicTime) -> Bool {
        _ = reset(after: now)
        return underWay.enterNow()
    }

    /// Admits a request, for which the task waits until `end`; if it is admitted, the caller must `leave`.
    func enter(until end: MonotonicTime, _ clock: Clock, on shard: Shard) async -> Admission.Outcome {
        var now = clock.now()
        while true {
            let earlierEnd = min(end, reset(after: now) ?? end)
            let outcome = await underWay.enter(until: earlierEnd, on: shard)
            guard outcome == .tooLate, earlierEnd < end else { return outcome }
            now = max(clock.now(), earlierEnd)
        }
    }

    /// Ends a request.
    func leave() { underWay.leave() }

    /// Takes over at `now` what the answer to a request says that began at `start`.
    func note(_ limit: RateLimit, since start: MonotonicTime, at now: MonotonicTime) {
        guard let remaining = limit.remaining, let seconds = limit.reset, seconds >= Self.shortestReset,
            !limit.isRepeated
        else { return }
        latest.withLock { latest in
            // Requests that overlap are counted in any order, and the lowest number is the latest. It can be higher later, as
            // after another reset, with another key, or from another limit of the same upstream.
            if let known = latest, now < known.reset, start <= known.noted, remaining >= known.remaining { return }
            latest = Number(remaining: remaining, limit: limit.limit, reset: now + .seconds(seconds), noted: now)
            underWay.resize(capacity: remaining)
        }
    }

    func update(maximumWaiting: Int) {
        latest.withLock { underWay.resize(capacity: $0?.remaining ?? .max, maximumWaiting: maximumWaiting) }
    }

    /// Returns the reset of the number that is known, and begins anew if that has passed.
    private func reset(after now: MonotonicTime) -> MonotonicTime? {
        latest.withLock { latest in
            guard let known = latest, known.reset <= now else { return latest?.reset }
            // Otherwise all who wait for the reset would ask at once.
            latest = known.limit.map { Number(remaining: $0, limit: nil, reset: now + Self.start, noted: now) }
            underWay.resize(capacity: known.limit ?? .max)
            return latest?.reset
        }
    }
}
