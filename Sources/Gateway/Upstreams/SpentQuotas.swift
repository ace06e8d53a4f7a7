import EventLoop
import Synchronization

/// The endpoints of an upstream that have no requests left, on all shards.
final class SpentQuotas: Sendable {
    /// No answer shuts an endpoint for longer than one of Twitter's windows.
    private static let mostSeconds = 15 * 60

    private struct Entry {
        let limit: Int?
        let end: MonotonicTime

        func quota(at now: MonotonicTime) -> SpentQuota? {
            guard now < end else { return nil }
            return SpentQuota(limit: limit, seconds: Int(((end - now) / .seconds(1)).rounded(.up)))
        }
    }

    private let entries = Mutex<[Upstream.Endpoint: Entry]>([:])

    /// What is known of `endpoint` at `now`; nil when it may be asked.
    func quota(of endpoint: Upstream.Endpoint, now: MonotonicTime = .now) -> SpentQuota? {
        entries.withLock { $0[endpoint]?.quota(at: now) }
    }

    /// Notes that `endpoint` has no requests left for so many seconds; what is known of it now, where that is news.
    func note(
        limit: Int?, seconds: Int, of endpoint: Upstream.Endpoint, now: MonotonicTime = .now
    ) -> SpentQuota? {
        let entry = Entry(limit: limit, end: now + .seconds(min(seconds, Self.mostSeconds)))
        return entries.withLock { entries in
            let known = entries[endpoint].flatMap { $0.quota(at: now) == nil ? nil : $0 }
            // Answers come in any order: the longest word counts.
            if let known, known.end >= entry.end { return nil }
            entries[endpoint] = entry
            return known == nil ? entry.quota(at: now) : nil
        }
    }
}
