import HTTPClient
import Operations

/// How often the tries of one kind at an upstream ended in which way, for the metrics.
struct TryCounts: Sendable {
    /// The numbers by result; an upstream chooses among few results.
    private var counts: [String: Int] = [:]

    /// Counts a try that has ended.
    mutating func note(_ result: String) { counts[result, default: 0] += 1 }

    /// Whether no try has ended.
    var isEmpty: Bool { counts.isEmpty }

    /// The numbers in the order of the results.
    var sorted: [(result: String, count: Int)] { counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    /// The label of an upstream's status that is an error.
    fileprivate static func label(ofStatus status: Int) -> String {
        switch status {
        // Nobody has asked whether a document is still the same.
        case 304: "unusable"
        // One that the client does not follow.
        case 300..<400: "redirect"
        default: RequestMetrics.label(ofStatus: status)
        }
    }
}

extension FetchFailure {
    /// The failure as a label of a metric: a word, or a status that is often seen.
    package var label: String {
        switch self {
        case .transfer(let error): error.label
        case .token: "no_token"
        case .status(let status, _, _, _): TryCounts.label(ofStatus: status)
        case .unusable: "unusable"
        case .spent(let quota): quota.isPause ? "paused" : "quota"
        case .suspended: "suspended"
        case .overloaded: "overloaded"
        case .unread: "unread"
        case .notInCache: "not_in_cache"
        case .lowMemory: "low_memory"
        case .limited: "limited"
        }
    }
}

extension TokenFault.Reason {
    /// The reason as a label of a metric.
    package var label: String {
        switch self {
        case .transfer(let error): error.label
        case .status(let status, _, _): TryCounts.label(ofStatus: status)
        case .unusable: "unusable"
        }
    }
}
