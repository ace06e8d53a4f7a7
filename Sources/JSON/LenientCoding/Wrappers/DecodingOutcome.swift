/// How the value of a wrapped property came about: the `$` value of `@Default`, `@Fallback`, `@Lossless`, `@Lossy` and
/// `@LossyEmpty`.
///
///     struct Page: Codable {
///         @FallbackZero var views: Int
///         @Lossy var tags: [String]
///     }
///     let page = try decoder.decode(Page.self, from: bytes)
///     if let error = page.$views.error { print("no views: \(error)") }
///     for error in page.$tags.errors { print("one tag less: \(error)") }
public enum DecodingOutcome: Sendable {
    /// The value was decoded as it is, or the program set it.
    case decoded
    /// The value, or an element of it, was converted by `@Lossless`.
    case converted(DriftReport.Reason)
    /// Elements that did not decode were removed by `@Lossy` or `@LossyEmpty`; up to `maximumErrors` of their errors.
    case incomplete([any Error])
    /// The key was missing or its value null; the default value, nil or an empty collection is used.
    case absent
    /// The value did not decode; the default value or nil is used.
    case invalid(any Error)

    /// The maximum number of errors of removed elements.
    public static let maximumErrors = 32

    /// The error of a value that did not decode, or of the first element that did not.
    public var error: (any Error)? { errors.first }

    /// The error of a value that did not decode, or those of the elements that did not.
    public var errors: [any Error] {
        switch self {
        case .decoded, .converted, .absent: []
        case .incomplete(let errors): errors
        case .invalid(let error): [error]
        }
    }

    /// Whether the value is the default value, nil or an empty collection, instead of one from the document.
    public var isDefault: Bool {
        switch self {
        case .decoded, .converted, .incomplete: false
        case .absent, .invalid: true
        }
    }
}

/// A wrapper with an outcome.
protocol OutcomeReporting {
    var projectedValue: DecodingOutcome { get }
}

extension DecodingOutcome {
    /// The outcome of the wrapper that decoded `value`, if it is one.
    func orInner(of value: Any) -> DecodingOutcome {
        if case .decoded = self, let wrapper = value as? any OutcomeReporting { return wrapper.projectedValue }
        return self
    }
}

/// A property that does not count when values are compared.
struct Uncompared<Value> {
    var value: Value
}

extension Uncompared: Hashable {
    static func == (left: Self, right: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}
}

extension Uncompared: Sendable where Value: Sendable {}
