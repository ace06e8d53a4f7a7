/// An array, dictionary or set without the elements that do not decode, and empty if the key is missing or null.
///
///     struct Timeline: Codable {
///         @LossyEmpty var tags: [String]
///         @LossyEmpty var counts: [Int: Double]
///     }
///
/// It is `@Lossy` and `@DefaultEmpty` in one: a value that is not such a collection is an error.
@propertyWrapper
public struct LossyEmpty<Value: LossyDecodable & EmptyInitializable> {
    /// The elements that decoded.
    public var wrappedValue: Value

    /// Wraps a collection.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension LossyEmpty: KeyedDecodable, Decodable {
    /// Decodes the valid elements; null becomes the empty collection.
    public init(from decoder: any Decoder) throws {
        wrappedValue = try decoder.singleValueContainer().decodeNil() ? Value() : Value.decodeLossily(from: decoder)
    }

    /// Decodes the valid elements; the collection is empty if the key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        self = try container.isPresent(key) ? container.decodeValue(forKey: key) : Self(wrappedValue: Value())
    }
}

extension LossyEmpty: Encodable where Value: Encodable {
    /// Encodes the collection.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension LossyEmpty: Equatable where Value: Equatable {}
extension LossyEmpty: Hashable where Value: Hashable {}
extension LossyEmpty: Sendable where Value: Sendable {}
