/// A property that a `CodingStrategy` decodes and encodes.
///
///     struct Tweet: Codable {
///         @Coded<TwitterDate> var createdAt: Date
///         @Coded<UnixMilliseconds?> var editedAt: Date?
///     }
///
/// A strategy with a question mark is for an optional value, which is nil if the key is missing or null.
@propertyWrapper
public struct Coded<Strategy: CodingStrategy> {
    /// The value.
    public var wrappedValue: Strategy.Value

    /// Wraps a value.
    public init(wrappedValue: Strategy.Value) { self.wrappedValue = wrappedValue }
}

extension Coded: KeyedDecodable, Decodable {
    /// Decodes the value with the strategy.
    public init(from decoder: any Decoder) throws { wrappedValue = try Strategy.decode(from: decoder) }

    /// Decodes the value with the strategy; an optional value is nil if the key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        self = try container.decodeWrapper(forKey: key) { Self(wrappedValue: $0) }
    }
}

extension Coded: KeyedEncodable, Encodable {
    /// Whether the value is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the value with the strategy.
    public func encode(to encoder: any Encoder) throws { try Strategy.encode(wrappedValue, to: encoder) }
}

extension Coded: Equatable where Strategy.Value: Equatable {}
extension Coded: Hashable where Strategy.Value: Hashable {}
extension Coded: Sendable where Strategy.Value: Sendable {}
