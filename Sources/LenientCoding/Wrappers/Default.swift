/// A value that stands in when the key is missing or null.
///
///     struct Tweet: Codable {
///         @DefaultFalse var isSensitive: Bool
///         @DefaultEmpty var tags: [String]
///         @Default<DefaultLanguage> var lang: String
///     }
///
/// A value that is there and does not decode fails the model; `@Fallback` stands in for that as well.
@propertyWrapper
public struct Default<Provider: DefaultValueProvider> {
    /// What was decoded, or the provider's value.
    ///
    ///     DefaultZero(wrappedValue: 7).wrappedValue  // 7
    public var wrappedValue: Provider.Value

    /// A wrapper of `wrappedValue`.
    ///
    ///     struct Tweet: Codable { @DefaultZero var retweetCount: Int = 0 }
    public init(wrappedValue: Provider.Value) { self.wrappedValue = wrappedValue }
}

extension Default: KeyedDecodable, Decodable where Provider.Value: Decodable {
    /// Decodes the value; null is the provider's.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = try container.decodeNil() ? Provider.defaultValue : container.decode(Provider.Value.self)
    }

    /// Decodes the value; a key that is missing or null gives the provider's.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        self =
            try container.isPresent(key)
            ? container.decodeValue(forKey: key) : Self(wrappedValue: Provider.defaultValue)
    }
}

extension Default: KeyedEncodable, Encodable where Provider.Value: Encodable {
    /// Whether the value is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the value as it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Default: Equatable where Provider.Value: Equatable {}
extension Default: Hashable where Provider.Value: Hashable {}
extension Default: Sendable where Provider.Value: Sendable {}
