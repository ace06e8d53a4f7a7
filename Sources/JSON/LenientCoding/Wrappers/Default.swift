/// A property that has a default value if the key is missing or null.
///
///     struct Tweet: Codable {
///         @DefaultFalse var isSensitive: Bool
///         @DefaultEmpty var tags: [String]
///         @Default<DefaultLanguage> var lang: String
///     }
///
/// A value that does not decode is an error; `@Fallback` uses the default value for it too.
public typealias Default<Provider: DefaultValueProvider> = DecodedProperty<DefaultRule<Provider>>
where Provider.Value: Decodable

/// A property that has a default value if the key is missing or null, or if its value does not decode.
///
///     struct DataPoint: Codable {
///         @Fallback<UnknownIcon> var icon: Icon
///         @FallbackNil var uvIndex: Int?
///         @FallbackZero var precipProbability: Double
///     }
///
/// The decoder's `driftRecorder` notes a value that does not decode.
public typealias Fallback<Provider: DefaultValueProvider> = DecodedProperty<FallbackRule<Provider>>
where Provider.Value: Decodable

/// The rule of `@Default`.
public enum DefaultRule<Provider: DefaultValueProvider>: DecodingRule where Provider.Value: Decodable {
    /// The default value.
    public static var standard: Provider.Value? { Provider.defaultValue }
}

/// The rule of `@Fallback`.
public enum FallbackRule<Provider: DefaultValueProvider>: DecodingRule where Provider.Value: Decodable {
    /// The default value.
    public static var standard: Provider.Value? { Provider.defaultValue }
    /// True.
    public static var toleratesInvalid: Bool { true }
}

extension DefaultRule: EncodingRule where Provider.Value: Encodable {}
extension FallbackRule: EncodingRule where Provider.Value: Encodable {}

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
public typealias DefaultZero<Value: Numeric & Decodable> = Default<ZeroValue<Value>>
/// `@Default` with the empty string, array, dictionary or set: `@DefaultEmpty var tags: [String]`.
public typealias DefaultEmpty<Value: EmptyInitializable & Decodable> = Default<EmptyValue<Value>>
/// `@Default` with false: `@DefaultFalse var isSensitive: Bool`.
public typealias DefaultFalse<Value: ExpressibleByBooleanLiteral & Decodable> = Default<FalseValue<Value>>
/// `@Default` with true: `@DefaultTrue var isPublic: Bool`.
public typealias DefaultTrue<Value: ExpressibleByBooleanLiteral & Decodable> = Default<TrueValue<Value>>

/// `@Fallback` with 0: `@FallbackZero var precipProbability: Double`.
public typealias FallbackZero<Value: Numeric & Decodable> = Fallback<ZeroValue<Value>>
/// `@Fallback` with the empty string, array, dictionary or set: `@FallbackEmpty var regions: [String]`.
public typealias FallbackEmpty<Value: EmptyInitializable & Decodable> = Fallback<EmptyValue<Value>>
/// `@Fallback` with false: `@FallbackFalse var isSensitive: Bool`.
public typealias FallbackFalse<Value: ExpressibleByBooleanLiteral & Decodable> = Fallback<FalseValue<Value>>
/// `@Fallback` with true: `@FallbackTrue var isPublic: Bool`.
public typealias FallbackTrue<Value: ExpressibleByBooleanLiteral & Decodable> = Fallback<TrueValue<Value>>
/// `@Fallback` with nil: `@FallbackNil var uvIndex: Int?`.
public typealias FallbackNil<Wrapped: Decodable> = Fallback<NilValue<Wrapped>>
