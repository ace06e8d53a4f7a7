import HTTPClient
import Operations

/// How long the transfers of one kind took, by the ways in which they ended.
struct TransferDurations: Sendable {
    /// How a transfer ended, as a label of a metric.
    enum Ending: String, CaseIterable {
        case success
        case redirect = "3xx"
        case clientError = "4xx"
        case serverError = "5xx"
        case timeout, connection, other

        /// The ending of a transfer with a response.
        init(status: Int) {
            switch status {
            case 200..<300, 304: self = .success
            case 300..<400: self = .redirect
            case 400..<500: self = .clientError
            case 500..<600: self = .serverError
            default: self = .other
            }
        }

        /// The ending of a transfer without a response.
        init(_ error: TransferError) {
            switch error {
            case .tooSlow, .silent, .unfinished, .stalled, .connectTimedOut: self = .timeout
            case .unknownHost, .noNameServer, .unreachable, .privateAddress, .proxyUnreachable, .proxyFailed,
                .tlsFailed, .proxyTLSFailed, .brokenOff:
                self = .connection
            case .redirect: self = .redirect
            case .malformed, .tooLarge, .queueFull, .cancelled, .invalidURL, .other: self = .other
            }
        }
    }

    private var histograms: [Ending: Histogram] = [:]

    mutating func add(_ duration: Duration, _ ending: Ending) {
        let nanoseconds = UInt64(clamping: duration.attoseconds / 1_000_000_000)
        histograms[ending, default: Histogram(Histogram.transferBounds)].add(nanoseconds: nanoseconds)
    }

    /// The durations by their ways to end.
    var byEnding: [(ending: Ending, durations: Histogram)] {
        Ending.allCases.compactMap { ending in histograms[ending].map { (ending, $0) } }
    }
}
