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

    /// The uses that the other replicas know of; nil if this replica is alone.
    private let shared: SharedLimits?

    /// A limit with the name that counters and answers have for it.
    ///
    /// What clients have used of another `edition` is of another rate.
    init(
        _ settings: LimitConfiguration, named name: String, edition: Int, _ table: ClientTable, _ counts: LimitCounts,
        _ log: Log, _ shared: SharedLimits?
    ) {
        (self.settings, self.name, self.table, self.counts, self.log) = (settings, name, table, counts, log)
        rate = RequestRate(requests: settings.requests, perSeconds: settings.perSeconds, burst: settings.room)
        var seed = Hasher()
        seed.combine(name)
        seed.combine(edition)
        (self.seed, self.shared) = (seed, shared)
    }

    /// Whether the limit has anything to do with misses.
    var hasMisses: Bool { settings.missCost > 0 || settings.misses != nil }

    /// Returns the hash of the client; two requests have one hash if the limit counts them together.
    func client(of request: LimitedRequest) -> UInt64 {
        var hash = seed
        let address = request.mark(settings.by) { mark in
            mark.withUnsafeBytes { hash.combine(bytes: $0) }
            hash.combine(mark.count)
        }
        if let address { hash.combine(address) }
        return UInt64(bitPattern: Int64(hash.finalize()))
    }

    /// The name that all replicas have for the client: a digest.
    private func sharedName(of request: LimitedRequest) -> String {
        var text = Array("\(name) \(rate.interval) ".utf8)
        let address = request.mark(settings.by) { text += "\($0.count) ".utf8 + $0 }
        text += (address?.text ?? "").utf8
        return text.withUnsafeBufferPointer { SecureHash.sha256(of: $0) }
    }

    /// Counts a request; returns the problem if it is refused.
    @inline(__always)
    func take(_ client: UInt64, _ request: LimitedRequest, at now: MonotonicTime) -> Problem? {
        take(1, client, request, now).flatMap { refuse(.rate, $0, request, at: now) }
    }

    /// Counts a request as `cost` requests; returns the time to wait if that is refused.
    @inline(__always)
    private func take(_ cost: Int, _ client: UInt64, _ request: LimitedRequest, _ now: MonotonicTime) -> UInt64? {
        let weighted = shared.map { min(cost * $0.weight, settings.room) } ?? cost
        if case .refused(let delay) = table.take(weighted, of: rate, client, at: now.nanoseconds) { return delay }
        shared?.note(cost, of: rate, client) { sharedName(of: request) }
        return nil
    }

    /// Counts a request for which an upstream is to be asked; returns the problem if it is refused.
    func takeMiss(_ client: UInt64, _ request: LimitedRequest, at now: MonotonicTime) -> Problem? {
        if let most = settings.misses, !counts.begin(client, atMost: most) {
            if let problem = refuse(.misses, 1_000_000_000, request, at: now) { return problem }
            counts.begin(client)
        }
        guard settings.missCost > 0, let delay = take(settings.missCost, client, request, now),
            let problem = refuse(.missCost, delay, request, at: now)
        else { return nil }
        end(client)
        return problem
    }

    /// Gives `cost` requests back that were counted, because another limit refuses the request.
    func giveBack(_ cost: Int, _ client: UInt64) {
        table.giveBack(rate.time(for: cost), client)
        shared?.giveBack(cost, of: rate, client)
    }

    /// Ends a request for which `takeMiss` has returned no problem.
    func end(_ client: UInt64) { if settings.misses != nil { counts.end(client) } }

    /// Counts and logs a refusal; returns nil if the limit only counts.
    private func refuse(
        _ reason: LimitCounts.Reason, _ delay: UInt64, _ request: LimitedRequest, at now: MonotonicTime
    ) -> Problem? {
        let isDry = settings.dryRun
        if let count = counts.note(reason, isDry: isDry, second: now.nanoseconds / 1_000_000_000) {
            log.write(
                .warning, "client limited",
                [
                    "limit": name, "reason": reason.rawValue, "client": request.source.client.siteText,
                    "route": request.route,
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
            state: #""\#(name)";r=\#(rate.left(after: delay, of: reason == .missCost ? cost + 1 : 1));t=\#(seconds)"#,
            retryAfter: seconds)
    }
}

/// A request to a route with limits.
struct LimitedRequest: Sendable {
    let request: Request
    let source: RequestSource
    /// The places of credentials in requests to the route, and its template, for the log.
    let credentials: [CredentialPlace], route: String

    /// Calls `take` with what a client or a proxy has written to tell the client apart, or returns the address that does so.
    @inline(__always)
    fileprivate func mark(_ subject: LimitSubject, _ take: (ArraySlice<UInt8>) -> Void) -> ClientAddress? {
        var isKnown = false
        func note(_ bytes: ArraySlice<UInt8>?) {
            guard let bytes, !bytes.isEmpty else { return }
            take(bytes)
            isKnown = true
        }
        switch subject {
        case .address: break
        case .network: return source.client.site
        case .header(let field): if source.isFromProxy { note(request.headers.bytes(field)) }
        case .credential:
            for place in credentials { note(place.value(in: request)) }
            if !isKnown { note(request.headers.bytes("Authorization")) }
        }
        return isKnown ? nil : source.client.host
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
