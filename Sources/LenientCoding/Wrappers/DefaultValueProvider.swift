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
    associatedtype Value
    /// What stands in.
    static var defaultValue: Value { get }
}

/// The number 0.
public enum ZeroValue<Value: Numeric>: DefaultValueProvider {
    /// Zero.
    public static var defaultValue: Value { 0 }
}

/// The empty string, array, dictionary or set.
public enum EmptyValue<Value: EmptyInitializable>: DefaultValueProvider {
    /// A value without elements.
    public static var defaultValue: Value { Value() }
}

/// `false`.
public enum FalseValue: DefaultValueProvider {
    /// False.
    public static var defaultValue: Bool { false }
}

/// `true`.
public enum TrueValue: DefaultValueProvider {
    /// True.
    public static var defaultValue: Bool { true }
}

/// Nil: with `@Fallback`, an optional value that is wrong is absent.
public enum NilValue<Wrapped>: DefaultValueProvider {
    /// Nil.
    public static var defaultValue: Wrapped? { nil }
}

/// A type whose values can be empty: strings and the standard collections.
public protocol EmptyInitializable {
    /// An empty value.
    init()
}

extension String: EmptyInitializable {}
extension Array: EmptyInitializable {}
extension Dictionary: EmptyInitializable {}
extension Set: EmptyInitializable {}

/// `@Default` with 0.
public typealias DefaultZero<Value: Numeric> = Default<ZeroValue<Value>>
/// `@Default` with the empty string, array, dictionary or set.
public typealias DefaultEmpty<Value: EmptyInitializable> = Default<EmptyValue<Value>>
/// `@Default` with false.
public typealias DefaultFalse = Default<FalseValue>
/// `@Default` with true.
public typealias DefaultTrue = Default<TrueValue>

/// `@Fallback` with 0.
public typealias FallbackZero<Value: Numeric> = Fallback<ZeroValue<Value>>
/// `@Fallback` with the empty string, array, dictionary or set.
public typealias FallbackEmpty<Value: EmptyInitializable> = Fallback<EmptyValue<Value>>
/// `@Fallback` with false.
public typealias FallbackFalse = Fallback<FalseValue>
/// `@Fallback` with true.
public typealias FallbackTrue = Fallback<TrueValue>
/// `@Fallback` with nil.
public typealias FallbackNil<Wrapped> = Fallback<NilValue<Wrapped>>
