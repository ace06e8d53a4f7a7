import EventLoop
import Synchronization

/// The quota of an upstream that allows no more requests for now.
struct SpentQuota: Sendable, Equatable {
    /// The number of requests that it allowed, if known.
    let limit: Int?
    /// The seconds until it allows requests again, at least one.
    let seconds: Int

    func sentence(of upstream: String) -> String {
        let requests = limit.map { "\($0) requests" } ?? "requests"
        return "The upstream \(upstream) has used up its \(requests); it may be asked again in \(seconds) s."
    }
}

/// The endpoints of an upstream that allow no more requests for now, shared by all shards.
final class SpentQuotas: Sendable {
    /// The longest time that a response can block an endpoint: one window of Twitter's.
    private static let maximumSeconds = 15 * 60

    private let entries = Mutex<[Upstream.Endpoint: (limit: Int?, end: MonotonicTime)]>([:])

    /// Returns the spent quota of `endpoint` at `now`; nil if requests are allowed.
    func quota(of endpoint: Upstream.Endpoint, now: MonotonicTime = .now) -> SpentQuota? {
        guard let entry = entries.withLock({ $0[endpoint] }), now < entry.end else { return nil }
        return SpentQuota(limit: entry.limit, seconds: Int(((entry.end - now) / .seconds(1)).rounded(.up)))
    }

    /// Blocks `endpoint` for `seconds`.
    /// - Returns: The spent quota if the endpoint was not blocked before, so that the caller logs it once.
    func note(
        limit: Int?, seconds: Int, of endpoint: Upstream.Endpoint, now: MonotonicTime = .now
    ) -> SpentQuota? {
        let end = now + .seconds(min(seconds, Self.maximumSeconds))
        let isNew = entries.withLock { entries in
            let known = entries[endpoint]?.end ?? now
            // Responses arrive in any order: the longest pause counts.
            if known < end { entries[endpoint] = (limit, end) }
            return known <= now
        }
        return isNew ? quota(of: endpoint, now: now) : nil
    }
}
