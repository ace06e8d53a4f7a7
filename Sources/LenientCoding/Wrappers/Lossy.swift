/// An array, dictionary or set without the elements that do not decode.
///
///     struct Timeline: Codable {
///         @Lossy var tweets: [Tweet]
///         @Lossy var counts: [String: Int]?
///         @Lossy var tags: Set<String>
///     }
///
/// The decoder's `driftRecorder` notes removed elements. A collection that is missing or has another type is an error;
/// an optional one is nil if its key is missing or null.
@propertyWrapper
public struct Lossy<Value: LossyDecodable> {
    /// The elements that decoded.
    public var wrappedValue: Value

    /// Wraps a collection.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// A collection that can be decoded without its invalid elements: an array, a set, a dictionary whose keys are strings or
/// integers, or an optional of them.
public protocol LossyDecodable {
    /// Decodes the valid elements and notes the others in the decoder's `driftRecorder`.
    ///
    /// - Throws: `DecodingError` if the value is not such a collection.
    static func decodeLossily(from decoder: any Decoder) throws -> Self
}

extension Array: LossyDecodable where Element: Decodable {
    /// Decodes the valid elements, in order.
    public static func decodeLossily(from decoder: any Decoder) throws -> [Element] {
        try decoder.decodeArray([Element].self, invalidElementStrategy: .remove)
    }
}

extension Set: LossyDecodable where Element: Decodable {
    /// Decodes the valid elements.
    public static func decodeLossily(from decoder: any Decoder) throws -> Set<Element> {
        Set(try [Element].decodeLossily(from: decoder))
    }
}

extension Dictionary: LossyDecodable where Key: FieldKey, Value: Decodable {
    /// Decodes the valid values whose keys have the type of the dictionary's; no strategy converts the keys.
    public static func decodeLossily(from decoder: any Decoder) throws -> [Key: Value] {
        let members = try decoder.decodeDictionary([String: Value].self, invalidElementStrategy: .remove)
        if let members = members as? [Key: Value] { return members }
        var values: [Key: Value] = [:]
        for (name, value) in members {
            // "+1" and "01" would be the same key as "1".
            if let key = Key(name), key.description == name {
                values[key] = value
            } else {
                let path = decoder.codingPath + [RawCodingKey(name)]
                decoder.driftRecorder?.note(.dropped, at: path, .mistyped, lastIsElement: true)
            }
        }
        return values
    }
}

extension Optional: LossyDecodable where Wrapped: LossyDecodable {
    /// Decodes nil from null, and the valid elements otherwise.
    public static func decodeLossily(from decoder: any Decoder) throws -> Wrapped? {
        try decoder.singleValueContainer().decodeNil() ? nil : Wrapped.decodeLossily(from: decoder)
    }
}

extension Lossy: KeyedDecodable, Decodable {
    /// Decodes the valid elements.
    public init(from decoder: any Decoder) throws { wrappedValue = try Value.decodeLossily(from: decoder) }

    /// Decodes the valid elements; an optional collection is nil if the key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        self = try container.decodeWrapper(forKey: key) { Self(wrappedValue: $0) }
    }
}

extension Lossy: KeyedEncodable, Encodable where Value: Encodable {
    /// Whether the collection is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the collection.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Lossy: Equatable where Value: Equatable {}
extension Lossy: Hashable where Value: Hashable {}
extension Lossy: Sendable where Value: Sendable {}
