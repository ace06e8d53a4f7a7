import EventLoop

/// The requests to an endpoint that its upstream still allows, as its answers say; a value without a clock.
///
/// An answer may count requests that are under way or not, and answers arrive in any order. So the lowest number of a period
/// counts, less all requests that are under way.
struct ReportedQuota: Sendable {
    /// Resets are rounded to seconds at both ends: moments as near as this are the same one.
    private static let rounding = Duration.seconds(2)

    private var remaining = 0
    /// When the upstream begins to count anew.
    private var reset: MonotonicTime?
    private var underWay = 0

    /// What is left at `now` after all requests that are under way, and when it is over; nil if nothing is known.
    func left(at now: MonotonicTime) -> (requests: Int, until: MonotonicTime)? {
        guard let reset, now < reset else { return nil }
        return (max(0, remaining - underWay), reset)
    }

    /// Whether a request can be the one more that the upstream does not allow.
    ///
    /// Its answers show soon whether it does.
    func mayExceed(at now: MonotonicTime) -> Bool { underWay > 0 && left(at: now)?.requests == 0 }

    /// A request is about to be sent.
    mutating func begin() { underWay += 1 }

    /// A request is answered, or never will be.
    mutating func end() { underWay -= 1 }

    /// Takes over that an answer says at `now` that `remaining` requests are left for `seconds`.
    mutating func note(_ remaining: Int, for seconds: Int, at now: MonotonicTime) {
        let end = now + .seconds(seconds)
        guard let reset, now < reset, end < reset + Self.rounding else {
            (self.remaining, reset) = (remaining, end)
            return
        }
        // An answer that was long under way may speak of the period before.
        if end + Self.rounding > reset { self.remaining = min(self.remaining, remaining) }
    }
}
