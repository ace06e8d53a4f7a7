/// Names the value that stands in for one that is missing, for `@Default` and `@Fallback`.
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
    ///
    ///     let none: EmptyValue<[String]>.Value = []
    associatedtype Value
    /// What stands in.
    ///
    ///     ZeroValue<Int>.defaultValue  // 0
    static var defaultValue: Value { get }
}

/// The number 0.
///
///     struct Tweet: Codable { @Default<ZeroValue<Int>> var retweetCount: Int }
public enum ZeroValue<Value: Numeric>: DefaultValueProvider {
    /// Zero.
    public static var defaultValue: Value { 0 }
}

/// The empty string, array, dictionary or set.
///
///     struct Tweet: Codable { @Default<EmptyValue<[String]>> var tags: [String] }
public enum EmptyValue<Value: EmptyInitializable>: DefaultValueProvider {
    /// A value without elements.
    public static var defaultValue: Value { Value() }
}

/// `false`.
///
///     struct Tweet: Codable { @Default<FalseValue<Bool>> var isSensitive: Bool }
public enum FalseValue<Value: ExpressibleByBooleanLiteral>: DefaultValueProvider {
    /// False.
    public static var defaultValue: Value { false }
}

/// `true`.
///
///     struct Tweet: Codable { @Default<TrueValue<Bool>> var isPublic: Bool }
public enum TrueValue<Value: ExpressibleByBooleanLiteral>: DefaultValueProvider {
    /// True.
    public static var defaultValue: Value { true }
}

/// Nil: with `@Fallback`, an optional value that is wrong is absent.
///
///     struct DataPoint: Codable { @Fallback<NilValue<Int>> var uvIndex: Int? }
public enum NilValue<Wrapped>: DefaultValueProvider {
    /// Nil.
    public static var defaultValue: Wrapped? { nil }
}

/// A type whose values can be empty: strings and the standard collections.
///
///     struct Tags: Codable, EmptyInitializable { var names: [String] = [] }
///     struct Tweet: Codable { @DefaultEmpty var tags: Tags }
public protocol EmptyInitializable {
    /// An empty value.
    ///
    ///     Set<String>().isEmpty  // true
    init()
}

extension String: EmptyInitializable {}
extension Array: EmptyInitializable {}
extension Dictionary: EmptyInitializable {}
extension Set: EmptyInitializable {}

/// `@Default` with 0.
///
///     struct Tweet: Codable { @DefaultZero var retweetCount: Int }
public typealias DefaultZero<Value: Numeric> = Default<ZeroValue<Value>>
/// `@Default` with the empty string, array, dictionary or set.
///
///     struct Tweet: Codable { @DefaultEmpty var tags: [String] }
public typealias DefaultEmpty<Value: EmptyInitializable> = Default<EmptyValue<Value>>
/// `@Default` with false.
///
///     struct Tweet: Codable { @DefaultFalse var isSensitive: Bool }
public typealias DefaultFalse<Value: ExpressibleByBooleanLiteral> = Default<FalseValue<Value>>
/// `@Default` with true.
///
///     struct Tweet: Codable { @DefaultTrue var isPublic: Bool }
public typealias DefaultTrue<Value: ExpressibleByBooleanLiteral> = Default<TrueValue<Value>>

/// `@Fallback` with 0.
///
///     struct DataPoint: Codable { @FallbackZero var precipProbability: Double }
public typealias FallbackZero<Value: Numeric> = Fallback<ZeroValue<Value>>
/// `@Fallback` with the empty string, array, dictionary or set.
///
///     struct Alert: Codable { @FallbackEmpty var regions: [String] }
public typealias FallbackEmpty<Value: EmptyInitializable> = Fallback<EmptyValue<Value>>
/// `@Fallback` with false.
///
///     struct Tweet: Codable { @FallbackFalse var isSensitive: Bool }
public typealias FallbackFalse<Value: ExpressibleByBooleanLiteral> = Fallback<FalseValue<Value>>
/// `@Fallback` with true.
///
///     struct Tweet: Codable { @FallbackTrue var isPublic: Bool }
public typealias FallbackTrue<Value: ExpressibleByBooleanLiteral> = Fallback<TrueValue<Value>>
/// `@Fallback` with nil.
///
///     struct DataPoint: Codable { @FallbackNil var uvIndex: Int? }
public typealias FallbackNil<Wrapped> = Fallback<NilValue<Wrapped>>
