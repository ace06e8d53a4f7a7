public import Contracts
public import Records

/// Why a shape makes no answer of a document.
public enum ShapeFailure: UnusableDocument, Sendable, Equatable {
    /// The root has no value, because `expression` finds none, or one that is dropped for `reason`.
    ///
    /// `path` is the place in the answer, empty for the root.
    case noValue(path: String, expression: String?, reason: DriftReport.Reason)
    /// The answer, or the work for it, exceeds a limit.
    case limit(String)
    /// The deadline has passed, or nobody waits for the answer; see `JSONOptions.isExpired`.
    case expired

    /// The failure in one line.
    public var description: String {
        switch self {
        case .noValue(let path, let expression, let reason):
            let place = path.isEmpty ? "the answer" : "\"\(path)\", which is required"
            let isAbsent = reason == .missing || reason == .null
            let cause = isAbsent ? "finds none" : "finds one that is dropped (\(reason.rawValue))"
            return "the document has no value for \(place)" + (expression.map { ": \($0) \(cause)" } ?? "")
        case .limit(let limit): return "the answer exceeds a limit: \(limit)"
        case .expired: return "the time for the answer has passed"
        }
    }
}
