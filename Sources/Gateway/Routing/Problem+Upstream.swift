import Contracts
import HTTPClient
import HTTPCore

extension Problem {
    /// Why an upstream's document cannot be had, by the table of DESIGN section 6: unreachable, and asked too often by us
    /// to be asked now, is 503, too slow 504, anything wrong with the answer 502; the upstream's own 404 and 429 keep
    /// their meaning.
    init(_ failure: Upstream.Failure, from name: String) {
        switch failure {
        case .transfer(let error): self.init(error, from: name)
        case .status(let code, let meaning, let message, let retryAfter):
            self.init(
                UpstreamError(name: name, status: code, error: message),
                meaning: meaning ?? ([404, 429].contains(code) ? code : 502), retryAfter: retryAfter,
                detail: "The upstream \(name) answered with \(code == 200 ? "an error" : "status \(code)").")
        case .unusable(let reason):
            self.init(
                kind: .upstreamFailed, status: .badGateway,
                detail: "The answer of the upstream \(name) cannot be used: \(reason).",
                upstream: UpstreamError(name: name, status: 200))
        case .spent(let quota):
            self.init(
                rateLimit: quota.sentence(of: name), status: .serviceUnavailable, retryAfter: quota.seconds,
                upstream: UpstreamError(name: name))
        }
    }

    /// An upstream's error, by the status that it stands for.
    private init(_ upstream: UpstreamError, meaning: Int, retryAfter: Int?, detail: String) {
        switch meaning {
        case 404: self.init(kind: .upstreamNotFound, status: .notFound, detail: detail, upstream: upstream)
        case 429:
            self.init(rateLimit: detail, status: .tooManyRequests, retryAfter: retryAfter, upstream: upstream)
        case 401, 403, 422:
            self.init(kind: .upstreamRefused, status: Status(meaning), detail: detail, upstream: upstream)
        default: self.init(kind: .upstreamFailed, status: .badGateway, detail: detail, upstream: upstream)
        }
    }

    private init(rateLimit detail: String, status: Status, retryAfter: Int?, upstream: UpstreamError) {
        self.init(
            kind: .upstreamRateLimit, status: status, detail: detail, upstream: upstream,
            headers: retryAfter.map { [("Retry-After", "\($0)")] } ?? [])
    }

    private init(_ error: TransferError, from name: String) {
        let detail = "The upstream \(name) cannot be used: \(error)."
        let upstream = UpstreamError(name: name)
        switch error {
        case .tooSlow:
            self.init(kind: .upstreamTooSlow, status: .gatewayTimeout, detail: detail, upstream: upstream)
        case .unknownHost, .unreachable, .tlsFailed, .queueFull, .cancelled:
            self.init(
                kind: .upstreamUnavailable, status: .serviceUnavailable, detail: detail, upstream: upstream,
                headers: [("Retry-After", "5")])
        case .brokenOff, .malformed, .tooLarge, .invalidURL, .other:
            self.init(kind: .upstreamFailed, status: .badGateway, detail: detail, upstream: upstream)
        }
    }
}
