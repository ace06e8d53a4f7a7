/// A property that has a default value if the key is missing or null.
///
///     struct Tweet: Codable {
///         @DefaultFalse var isSensitive: Bool
///         @DefaultEmpty var tags: [String]
///         @Default<DefaultLanguage> var lang: String
///     }
///
/// A value that does not decode is an error; `@Fallback` uses the default value for it too.
@propertyWrapper
public struct Default<Provider: DefaultValueProvider> {
    /// The decoded value or the default value.
    public var wrappedValue: Provider.Value {
        didSet { outcome = .decoded }
    }
    /// How the value came about: `$count.error` is the error of a `@Fallback` that did not decode.
    ///
    /// For a value that was decoded by an inner wrapper, such as `@Lossy`, it is the outcome of that wrapper.
    public var projectedValue: DecodingOutcome { outcome.orInner(of: wrappedValue) }
    private var outcome = DecodingOutcome.decoded

    /// Wraps a value.
    public init(wrappedValue: Provider.Value) { self.wrappedValue = wrappedValue }

    /// The default value.
    fileprivate init(_ outcome: DecodingOutcome) {
        wrappedValue = Provider.defaultValue
        self.outcome = outcome
    }
}

extension Default: KeyedDecodable, Decodable where Provider.Value: Decodable {
    /// Decodes the value; null becomes the default value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self =
            try container.decodeNil()
            ? Self(.absent) : Self(wrappedValue: decoder.decodeDeclared(Provider.Value.self))
    }

    /// Decodes the value, which is the default value if the key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        self =
            try container.isPresent(key)
            ? container.decodeValue(forKey: key) : Self(.absent)
    }
}

extension Default: KeyedEncodable, Encodable where Provider.Value: Encodable {
    /// Whether the value is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Default: Equatable where Provider.Value: Equatable {
    /// Returns whether the values are equal.
    public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension Default: Hashable where Provider.Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Default: Sendable where Provider.Value: Sendable {}
extension Default: OutcomeReporting {}
