import HTTPClient
import HTTPCore
package import API

/// The problems that clients get for failures of upstreams.
///
/// Only this file decides which status a failure has; `Problem` has the statuses of all other errors.
package enum UpstreamProblem {
    /// The seconds after which an upstream may be asked again that has failed without naming any.
    private static let usualWait = 5

    /// An upstream that cannot be reached or has spent its quota is 503, a slow one 504, an unusable answer 502.
    ///
    /// With `passesStatuses`, the client gets each status from 400 to 499 that an error means.
    package static func problem(
        of failure: FetchFailure, from name: String, passesStatuses: Bool = false
    ) -> Problem {
        var upstream = UpstreamError(name: name)
        switch failure {
        case .transfer(let error):
            let detail = "The upstream \(name) cannot be used: \(error)."
            return Problem(kind(of: error), detail, upstream: upstream, retryAfter: retryAfter(error))
        case .token(let fault):
            let (kind, retryAfter) = kind(of: fault.reason)
            return Problem(kind, fault.sentence(of: name), upstream: upstream, retryAfter: retryAfter)
        case .status(let status, let meaning, let message, let retryAfter):
            (upstream.status, upstream.error) = (status, message)
            let detail = "The upstream \(name) answered with \(status == 200 ? "an error" : "status \(status)")."
            switch meaning ?? ([402, 404, 429].contains(status) ? status : 502) {
            case 402:
                return Problem(
                    .upstreamRateLimit, "The upstream \(name) demands to be paid before it answers.",
                    status: .serviceUnavailable, upstream: upstream)
            case 404: return Problem(.upstreamNotFound, detail, upstream: upstream)
            case 429: return Problem(.upstreamRateLimit, detail, upstream: upstream, retryAfter: retryAfter)
            case let meaning where [401, 403, 422].contains(meaning) || passesStatuses && 400..<500 ~= meaning:
                return Problem(.upstreamRefused, detail, status: Status(meaning), upstream: upstream)
            default:
                return Problem(
                    .upstreamFailed, detail, upstream: upstream, retryAfter: status == 503 ? retryAfter : nil)
            }
        case .unusable(let reason):
            upstream.status = 200
            return Problem(
                .upstreamFailed, "The answer of the upstream \(name) cannot be used: \(reason).", upstream: upstream)
        case .spent(let quota):
            return Problem(
                [.outage, .command].contains(quota.cause) ? .upstreamUnavailable : .upstreamRateLimit,
                quota.sentence(of: name),
                status: .serviceUnavailable, upstream: upstream, retryAfter: quota.seconds)
        case .suspended(let seconds, let last):
            let manner = last.map { ", last \($0)" } ?? ""
            let detail = "The upstream \(name) has failed too often\(manner); it is asked again in \(seconds) s."
            return Problem(.upstreamUnavailable, detail, upstream: upstream, retryAfter: seconds)
        case .overloaded(let reason):
            return Problem(
                .upstreamUnavailable, "The upstream \(name) cannot be used: \(reason).", upstream: upstream,
                retryAfter: 1)
        case .unread:
            return Problem(
                .upstreamTooSlow, "The answer of the upstream \(name) was not read in time.", upstream: upstream)
        case .notInCache:
            return Problem(.notInCache, "The document is not in the cache, and the request wants no other.")
        case .lowMemory:
            return Problem(
                .lowMemory, "The memory of the service is almost used up: only documents in the cache are served.",
                retryAfter: usualWait)
        case .limited(let problem): return problem
        }
    }

    private static func kind(of error: TransferError) -> Problem.Kind {
        switch error {
        // A host that does not answer the attempt to connect may be slow or gone; the client waited in both cases.
        case .tooSlow, .silent, .unfinished, .stalled, .connectTimedOut: .upstreamTooSlow
        case .unknownHost, .noNameServer, .unreachable, .proxyUnreachable, .queueFull, .cancelled: .upstreamUnavailable
        // Waiting does not repair a certificate or a setting.
        case .privateAddress, .proxyFailed, .tlsFailed, .proxyTLSFailed, .redirect, .brokenOff, .malformed, .tooLarge,
            .invalidURL, .other:
            .upstreamFailed
        }
    }

    private static func retryAfter(_ error: TransferError) -> Int? {
        kind(of: error) == .upstreamUnavailable ? usualWait : nil
    }

    /// A token endpoint is no part of an upstream's answer: its refusals are no refusals of the client.
    private static func kind(of reason: TokenFault.Reason) -> (kind: Problem.Kind, retryAfter: Int?) {
        switch reason {
        case .transfer(let error): (kind(of: error), retryAfter(error))
        case .status(429, _, let seconds), .status(503, _, let seconds): (.upstreamUnavailable, seconds ?? usualWait)
        case .status, .unusable: (.upstreamFailed, nil)
        }
    }

    /// The time for a request is over, after `last` at the latest.
    static func deadlinePassed(after last: Problem?) -> Problem {
        if let last, last.kind == .upstreamTooSlow { return last }
        var problem = Problem(.upstreamTooSlow, "No upstream answered in time.", upstream: last?.upstream)
        problem.cacheNote = last?.cacheNote
        return problem
    }

    /// Returns the problem for a client if every upstream failed: the most informative one, the first among equals.
    ///
    /// If it names a time, it is that of the upstream that may be asked first.
    static func mostInformative(of problems: [Problem]) -> Problem {
        for kind in Problem.Kind.allCases {
            guard var problem = problems.first(where: { $0.kind == kind }) else { continue }
            if problem.retryAfter != nil { problem.retryAfter = problems.map { $0.retryAfter ?? usualWait }.min() }
            return problem
        }
        return Problem(.upstreamUnavailable, "No upstream is configured.")
    }
}
