// Unsafe: the standard library hashes bytes by a pointer, which is valid during the call.
import API
import EventLoop
import HTTPCore
import Operations
import Settings
import Synchronization

/// A limit of the requests of each client, over all event loops.
package final class ClientLimit: Sendable {
    let name: String
    let settings: LimitConfiguration
    private let rate: RequestRate
    private let table: ClientTable
    private let counts: LimitCounts
    private let log: Log
    /// The beginning of the hash of each client: nobody outside of the process knows how it goes on (SipHash-1-3, with a random
    /// key).
    private let seed: Hasher

    /// A limit with the name that counters and answers have for it.
    init(_ settings: LimitConfiguration, named name: String, _ table: ClientTable, _ counts: LimitCounts, _ log: Log) {
        (self.settings, self.name, self.table, self.counts, self.log) = (settings, name, table, counts, log)
        rate = RequestRate(requests: settings.requests, perSeconds: settings.perSeconds, burst: settings.room)
        var seed = Hasher()
        seed.combine(name)
        self.seed = seed
    }

    /// Whether the limit has anything to do with misses.
    var hasMisses: Bool { settings.missCost > 0 || settings.misses != nil }

    /// Returns the hash of the client; two requests have one hash if the limit counts them together.
    func client(of request: Request, from source: RequestSource, _ credentials: [CredentialPlace]) -> UInt64 {
        var hash = seed
        var isKnown = false
        switch settings.by {
        case .address: break
        case .network:
            hash.combine(source.client.site)
            isKnown = true
        case .header(let field): isKnown = source.isFromProxy && hash.combine(request.headers.bytes(field))
        case .credential:
            for place in credentials where hash.combine(place.value(in: request)) { isKnown = true }
            if !isKnown { isKnown = hash.combine(request.headers.bytes("Authorization")) }
        }
        if !isKnown { hash.combine(source.client.host) }
        return UInt64(bitPattern: Int64(hash.finalize()))
    }

    /// Counts a request; returns the problem if it is refused.
    @inline(__always)
    func take(_ client: UInt64, from source: RequestSource, _ route: String, at now: MonotonicTime) -> Problem? {
        guard case .refused(let delay) = table.take(1, of: rate, client, at: now.nanoseconds) else { return nil }
        return refuse(.rate, delay, source, route, at: now)
    }

    /// Counts a request for which an upstream is to be asked; returns the problem if it is refused.
    func takeMiss(_ client: UInt64, from source: RequestSource, _ route: String, at now: MonotonicTime) -> Problem? {
        if let most = settings.misses, !counts.begin(client, atMost: most) {
            if let problem = refuse(.misses, 1_000_000_000, source, route, at: now) { return problem }
            counts.begin(client)
        }
        guard settings.missCost > 0,
            case .refused(let delay) = table.take(settings.missCost, of: rate, client, at: now.nanoseconds),
            let problem = refuse(.missCost, delay, source, route, at: now)
        else { return nil }
        end(client)
        return problem
    }

    /// Ends a request for which `takeMiss` has returned no problem.
    func end(_ client: UInt64) { if settings.misses != nil { counts.end(client) } }

    /// Counts and logs a refusal; returns nil if the limit only counts.
    private func refuse(
        _ reason: LimitCounts.Reason, _ delay: UInt64, _ source: RequestSource, _ route: String, at now: MonotonicTime
    ) -> Problem? {
        let isDry = settings.dryRun
        if let count = counts.note(reason, isDry: isDry, second: now.nanoseconds / 1_000_000_000) {
            log.write(
                .warning, "client limited",
                [
                    "limit": name, "reason": reason.rawValue, "client": source.client.siteText, "route": route,
                    "count": count, "action": isDry ? "counted" : "refused",
                ])
        }
        return isDry ? nil : problem(reason, delay)
    }

    private func problem(_ reason: LimitCounts.Reason, _ delay: UInt64) -> Problem {
        let seconds = Int((delay + 999_999_999) / 1_000_000_000), requests = settings.requests
        if reason == .misses, let most = settings.misses {
            return .tooManyRequests(
                "More than \(most) requests of the client wait for upstreams. Repeat it when others have ended.",
                policy: #""\#(name)-misses";q=\#(most);qu="concurrent-requests""#,
                state: #""\#(name)-misses";r=0;t=\#(seconds)"#, retryAfter: seconds)
        }
        let cost = reason == .missCost ? settings.missCost : 1
        let burst = settings.room == requests ? "" : ";weir-burst=\(settings.room)"
        let detail =
            "More than \(requests) requests of the client in \(settings.perSeconds) s. Repeat it in \(seconds) s."
            + (cost > 1 ? " It counts as \(cost + 1) requests, because an upstream is asked." : "")
        return .tooManyRequests(
            detail, policy: #""\#(name)";q=\#(requests);w=\#(settings.perSeconds)\#(burst)"#,
            state: #""\#(name)";r=\#(rate.left(after: delay, of: cost));t=\#(seconds)"#, retryAfter: seconds)
    }
}

/// The place of a client's credential in the requests to a route.
package enum CredentialPlace: Sendable {
    /// A header field.
    case field(String)
    /// A member of the query.
    case member(String)

    /// Returns the credential in a request; nil without one.
    fileprivate func value(in request: Request) -> ArraySlice<UInt8>? {
        switch self {
        case .field(let name): request.headers.bytes(name)
        case .member(let name): request.target.query.values(name).first.map { Array($0.utf8)[...] }
        }
    }
}

extension Hasher {
    /// Adds a value that a client or a proxy has written; returns false if the value is absent or empty.
    fileprivate mutating func combine(_ bytes: ArraySlice<UInt8>?) -> Bool {
        guard let bytes, !bytes.isEmpty else { return false }
        bytes.withUnsafeBytes { combine(bytes: $0) }
        combine(bytes.count)
        return true
    }
}
