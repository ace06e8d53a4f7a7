import EventLoop
import Synchronization
import Operations

/// The end of the certificate in use, for `/healthz` and `/metrics`.
final class CertificateTerm: Sendable {
    private let seconds = Atomic(Int64.max)

    /// The end in unix seconds; nil without a certificate.
    var end: Int? {
        let seconds = seconds.load(ordering: .relaxed)
        return seconds < .max ? Int(seconds) : nil
    }

    func replace(with context: TLSContext?) { seconds.store(context?.validity.until ?? .max, ordering: .relaxed) }

    func write(to text: inout MetricsText) {
        guard let end else { return }
        text.single(
            "weir_certificate_expiry_timestamp_seconds", .gauge, "End of the certificate in use.", Double(end))
    }
}
