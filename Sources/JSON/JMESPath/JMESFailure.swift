/// The reason why an expression has no value for a document.
public enum JMESFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A value has a type that a function or operator does not take; `isAbsence` if the value is null or absent.
    case invalidType(String, isAbsence: Bool = false)
    /// A value of the right type is not allowed, such as the divisor 0.
    case invalidValue(String)
    /// The expression takes more steps than the context allows.
    case tooMuchWork
    /// The expression makes more values or text than the context allows.
    case tooMuchOutput
    /// The deadline has passed.
    case expired

    /// Whether something that the expression needs is null or absent.
    public var isAbsence: Bool {
        if case .invalidType(_, isAbsence: true) = self { true } else { false }
    }

    /// The reason as text.
    public var description: String {
        switch self {
        case .invalidType(let reason, _), .invalidValue(let reason): reason
        case .tooMuchWork: "the expression takes too many steps"
        case .tooMuchOutput: "the expression makes too many values"
        case .expired: "the deadline has passed"
        }
    }

    /// A value of another type than `taker` takes.
    static func type(_ taker: String, takes expected: String, not value: JMESValue) -> JMESFailure {
        let kind = value.kind
        let found = kind == .null ? "null" : "\(kind == .array || kind == .object ? "an" : "a") \(kind.rawValue)"
        return .invalidType("\(taker) takes \(expected), not \(found)", isAbsence: kind == .null)
    }
}
