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
    public var wrappedValue: Value {
        didSet { projectedValue = .decoded }
    }
    /// How the collection came about: `$tags.errors` are the errors of the elements that were removed.
    public private(set) var projectedValue = DecodingOutcome.decoded

    /// Wraps a collection.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    private init(_ value: Value, _ outcome: DecodingOutcome) {
        wrappedValue = value
        projectedValue = outcome
    }
}

extension LossyEmpty: KeyedDecodable, Decodable {
    /// Decodes the valid elements; null becomes the empty collection.
    public init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decodeNil() {
            self.init(Value(), .absent)
        } else {
            let (value, outcome) = try Value.decodeWithOutcome(from: decoder)
            self.init(value, outcome)
        }
    }

    /// Decodes the valid elements; the collection is empty if the key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        self = try container.isPresent(key) ? container.decodeValue(forKey: key) : Self(Value(), .absent)
    }
}

extension LossyEmpty: Encodable where Value: Encodable {
    /// Encodes the collection.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension LossyEmpty: Equatable where Value: Equatable {
    /// Returns whether the values are equal.
    public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyEmpty: Hashable where Value: Hashable {
    /// Hashes the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyEmpty: Sendable where Value: Sendable {}
extension LossyEmpty: OutcomeReporting {}
