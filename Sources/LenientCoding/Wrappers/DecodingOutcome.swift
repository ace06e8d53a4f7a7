/// How the value of a property with `@Default` or `@Fallback` came about; the property's `$` value.
///
///     struct Page: Codable { @FallbackZero var views: Int }
///     let page = try decoder.decode(Page.self, from: bytes)
///     if let error = page.$views.error { print("no views: \(error)") }
public enum DecodingOutcome: Sendable {
    /// The value was decoded, or the program set it.
    case decoded
    /// The key was missing or its value null; the default value is used.
    case absent
    /// The value did not decode; the default value is used.
    case invalid(any Error)

    /// The error of a value that did not decode.
    public var error: (any Error)? {
        if case .invalid(let error) = self { error } else { nil }
    }

    /// Whether the default value is used.
    public var isDefault: Bool {
        if case .decoded = self { false } else { true }
    }
}
