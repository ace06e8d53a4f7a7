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
        didSet { outcome.value = .decoded }
    }
    /// How the value came about: `$count.error` is the error of a `@Fallback` that did not decode.
    ///
    /// For a value that was decoded by an inner wrapper, such as `@Lossy`, it is the outcome of that wrapper.
    public var projectedValue: DecodingOutcome { outcome.value.orInner(of: wrappedValue) }
    private var outcome = Uncompared(value: DecodingOutcome.decoded)

    /// Wraps a value.
    public init(wrappedValue: Provider.Value) { self.wrappedValue = wrappedValue }

    /// The default value.
    fileprivate init(_ outcome: DecodingOutcome) {
        wrappedValue = Provider.defaultValue
        self.outcome.value = outcome
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
    public func encode(to encoder: any Encoder) throws { try encoder.encodeSingle(wrappedValue) }
}

extension Default: Equatable where Provider.Value: Equatable {}
extension Default: Hashable where Provider.Value: Hashable {}
extension Default: Sendable where Provider.Value: Sendable {}
extension Default: OutcomeReporting {}

/// The default value of a property with `@Default` or `@Fallback`.
///
///     enum DefaultLanguage: DefaultValueProvider {
///         static var defaultValue: String { "und" }
///     }
///     struct Tweet: Codable {
///         @Default<DefaultLanguage> var lang: String
///         @DefaultZero var retweetCount: Int
///     }
public protocol DefaultValueProvider {
    /// The type of the property.
    associatedtype Value
    /// The default value.
    static var defaultValue: Value { get }
}

/// The number 0.
public enum ZeroValue<Value: Numeric>: DefaultValueProvider {
    /// Zero.
    public static var defaultValue: Value { 0 }
}

/// An integer that is given as a literal.
///
///     struct Page: Codable {
///         @Default<IntegerValue<20>> var size: Int
///         @Fallback<IntegerValue<-1>> var next: Int
///     }
///
/// Swift takes integers as arguments of types and no other literals: other defaults need a provider.
public enum IntegerValue<let literal: Int>: DefaultValueProvider {
    /// The integer.
    public static var defaultValue: Int { literal }
}

/// The empty string, array, dictionary or set.
public enum EmptyValue<Value: EmptyInitializable>: DefaultValueProvider {
    /// A value without elements.
    public static var defaultValue: Value { Value() }
}

/// `false`.
public enum FalseValue<Value: ExpressibleByBooleanLiteral>: DefaultValueProvider {
    /// False.
    public static var defaultValue: Value { false }
}

/// `true`.
public enum TrueValue<Value: ExpressibleByBooleanLiteral>: DefaultValueProvider {
    /// True.
    public static var defaultValue: Value { true }
}

/// Nil, for `@Fallback`: an invalid optional value becomes nil.
public enum NilValue<Wrapped>: DefaultValueProvider {
    /// Nil.
    public static var defaultValue: Wrapped? { nil }
}

/// A type that has an empty value, such as strings and the standard collections.
///
///     struct Tags: Codable, EmptyInitializable { var names: [String] = [] }
///     struct Tweet: Codable { @DefaultEmpty var tags: Tags }
public protocol EmptyInitializable {
    /// Creates an empty value.
    init()
}

extension String: EmptyInitializable {}
extension Array: EmptyInitializable {}
extension Dictionary: EmptyInitializable {}
extension Set: EmptyInitializable {}

/// `@Default` with 0: `@DefaultZero var retweetCount: Int`.
public typealias DefaultZero<Value: Numeric> = Default<ZeroValue<Value>>
/// `@Default` with the empty string, array, dictionary or set: `@DefaultEmpty var tags: [String]`.
public typealias DefaultEmpty<Value: EmptyInitializable> = Default<EmptyValue<Value>>
/// `@Default` with false: `@DefaultFalse var isSensitive: Bool`.
public typealias DefaultFalse<Value: ExpressibleByBooleanLiteral> = Default<FalseValue<Value>>
/// `@Default` with true: `@DefaultTrue var isPublic: Bool`.
public typealias DefaultTrue<Value: ExpressibleByBooleanLiteral> = Default<TrueValue<Value>>

/// `@Fallback` with 0: `@FallbackZero var precipProbability: Double`.
public typealias FallbackZero<Value: Numeric> = Fallback<ZeroValue<Value>>
/// `@Fallback` with the empty string, array, dictionary or set: `@FallbackEmpty var regions: [String]`.
public typealias FallbackEmpty<Value: EmptyInitializable> = Fallback<EmptyValue<Value>>
/// `@Fallback` with false: `@FallbackFalse var isSensitive: Bool`.
public typealias FallbackFalse<Value: ExpressibleByBooleanLiteral> = Fallback<FalseValue<Value>>
/// `@Fallback` with true: `@FallbackTrue var isPublic: Bool`.
public typealias FallbackTrue<Value: ExpressibleByBooleanLiteral> = Fallback<TrueValue<Value>>
/// `@Fallback` with nil: `@FallbackNil var uvIndex: Int?`.
public typealias FallbackNil<Wrapped> = Fallback<NilValue<Wrapped>>
