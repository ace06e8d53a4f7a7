/// A value that is spelled in a document as its strategy says.
///
///     struct Tweet: Codable {
///         @Coded<TwitterDate> var createdAt: Date
///         @Coded<UnixMilliseconds?> var editedAt: Date?
///     }
///
/// The strategy with a question mark is that of an optional value: nil when the key is missing or null.
@propertyWrapper
public struct Coded<Strategy: CodingStrategy> {
    /// The value.
    ///
    ///     Coded<UnixSeconds>(wrappedValue: Date(timeIntervalSince1970: 7)).wrappedValue.timeIntervalSince1970  // 7.0
    public var wrappedValue: Strategy.Value

    /// A wrapper of `wrappedValue`.
    ///
    ///     struct Event: Codable { @Coded<UnixSeconds> var start: Date = Date() }
    public init(wrappedValue: Strategy.Value) { self.wrappedValue = wrappedValue }
}

extension Coded: KeyedDecodable, Decodable {
    /// Decodes the value as the strategy says.
    public init(from decoder: any Decoder) throws { wrappedValue = try Strategy.decode(from: decoder) }

    /// Decodes the value as the strategy says; nil for an optional value whose key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        if let decoded: Self = try container.decodeWrapped(Strategy.Value.self, forKey: key) {
            self = decoded
        } else if let absent = absentValue(of: Strategy.Value.self) {
            self.init(wrappedValue: absent)
        } else {
            self = try container.decodeValue(forKey: key)
        }
    }
}

extension Coded: KeyedEncodable, Encodable {
    /// Whether the value is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the value as the strategy says.
    public func encode(to encoder: any Encoder) throws { try Strategy.encode(wrappedValue, to: encoder) }
}

extension Coded: Equatable where Strategy.Value: Equatable {}
extension Coded: Hashable where Strategy.Value: Hashable {}
extension Coded: Sendable where Strategy.Value: Sendable {}
