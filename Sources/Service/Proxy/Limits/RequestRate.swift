/// The rate of requests that a client may make, as the generic cell rate algorithm (ITU-T I.371) counts it.
///
/// A client's state is one time: when its requests so far would have ended, had they come at the rate. A time that has passed
/// is the state of a client that has made no requests. Times are nanoseconds on a clock that does not go back.
package struct RequestRate: Sendable {
    enum Decision: Equatable {
        /// The request is admitted; the state becomes this.
        case admitted(UInt64)
        /// The request is refused, and may be repeated after so many nanoseconds.
        case refused(after: UInt64)
    }

    /// The longest time, 36 years: sums of two stay in 64 bits.
    private static let longest: UInt64 = 1 << 60

    /// The time between two requests at the rate.
    let interval: UInt64
    /// The time in which all requests are allowed again that may come at once.
    let room: UInt64

    /// So many requests in so many seconds, and `burst` at once.
    package init(requests: Int, perSeconds: Int, burst: Int) {
        interval = max(1, UInt64(max(perSeconds, 1)) * 1_000_000_000 / UInt64(max(requests, 1)))
        room = Self.product(interval, burst)
    }

    /// Decides about a request that counts as `cost` requests.
    @inline(__always)
    func decide(_ cost: Int, state: UInt64, at now: UInt64) -> Decision {
        let next = max(state, now) &+ time(for: cost)
        let end = now &+ room
        return next <= end ? .admitted(next) : .refused(after: next &- end)
    }

    /// Returns the requests that a client may make at once, of which a request that counts as `cost` was refused.
    func left(after delay: UInt64, of cost: Int) -> Int { max(0, cost - Int((delay + interval - 1) / interval)) }

    /// The time that so many requests take up at the rate.
    @inline(__always)
    func time(for cost: Int) -> UInt64 { cost == 1 ? interval : Self.product(interval, cost) }

    private static func product(_ interval: UInt64, _ count: Int) -> UInt64 {
        let (product, overflows) = interval.multipliedReportingOverflow(by: UInt64(max(count, 0)))
        return overflows ? longest : min(product, longest)
    }
}
