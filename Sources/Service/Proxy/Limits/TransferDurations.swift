import HTTPClient
import Operations

/// How long the transfers of one kind took, by the ways in which they ended, in the buckets of OpenTelemetry.
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

    private struct Histogram {
        var buckets = [Int](repeating: 0, count: TransferDurations.bounds.count + 1)
        var sum = 0.0
    }

    /// The upper bounds in seconds (OpenTelemetry, "Semantic conventions for HTTP metrics").
    private static let bounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]

    private var histograms: [Ending: Histogram] = [:]

    mutating func add(_ duration: Duration, _ ending: Ending) {
        let seconds = duration / .seconds(1)
        let bucket = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
        histograms[ending, default: Histogram()].buckets[bucket] += 1
        histograms[ending]?.sum += seconds
    }

    /// Writes the samples of the family that has begun.
    func write(to text: inout MetricsText, upstream: String, requests: String) {
        for ending in Ending.allCases {
            guard let histogram = histograms[ending] else { continue }
            text.histogram(
                histogram.buckets, bounds: Self.bounds, sum: histogram.sum,
                ["upstream": upstream, "requests": requests, "result": ending.rawValue])
        }
    }
}
