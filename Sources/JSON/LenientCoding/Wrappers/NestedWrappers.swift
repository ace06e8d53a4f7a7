// Wrappers inside of `@Default`, `@Fallback` and `@Lossy`.

/// A lossy collection that is empty by default.
///
///     struct Timeline: Codable {
///         @FallbackEmpty @Lossy var tags: [String]  // empty if the key is missing or the value is no array
///     }
extension Lossy: EmptyInitializable where Value: EmptyInitializable {
    /// Wraps an empty collection.
    public init() { self.init(wrappedValue: Value()) }
}

/// A lossless Boolean that is false or true by default.
///
///     struct User: Codable {
///         @FallbackFalse @Lossless var isVerified: Bool  // 1 and "true" are true, "maybe" is false
///     }
extension Lossless: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    /// Wraps the value of the literal.
    public init(booleanLiteral value: Value.BooleanLiteralType) {
        self.init(wrappedValue: Value(booleanLiteral: value))
    }
}

/// A lossless array or string that is empty by default: `@DefaultEmpty @Lossless var ids: [String]`.
extension Lossless: EmptyInitializable where Value: EmptyInitializable {
    /// Wraps an empty value.
    public init() { self.init(wrappedValue: Value()) }
}

/// An array whose elements are converted if nothing is lost, and removed otherwise.
///
///     struct User: Codable {
///         @Lossy @Lossless var friends: [Int]  // [1,"2",null,"x"] becomes [1, 2]
///     }
extension Lossless: LossyDecodable where Value: RangeReplaceableCollection, Value.Element: LosslessValue {
    /// Decodes the elements that convert, in order.
    public static func decodeLossily(from decoder: any Decoder, onRemoval: (any Error) -> Void) throws -> Self {
        let elements = try [Lossless<Value.Element>].decodeLossily(from: decoder, onRemoval: onRemoval)
        return Self(wrappedValue: Value(elements.lazy.map(\.wrappedValue)))
    }
}
