/// An array, a dictionary or a set that leaves out the elements that do not decode, instead of failing with them.
///
///     struct Timeline: Codable {
///         @Lossy var tweets: [Tweet]
///         @Lossy var counts: [String: Int]?
///         @Lossy var tags: Set<String>
///     }
///
/// What is left out is noted in the decoder's `driftRecorder`. The collection itself must be there and be one; an
/// optional one is nil when its key is missing or null.
@propertyWrapper
public struct Lossy<Value: LossyDecodable> {
    /// The elements that decoded.
    ///
    ///     Lossy(wrappedValue: [1, 2]).wrappedValue  // [1, 2]
    public var wrappedValue: Value

    /// A wrapper of `wrappedValue`.
    ///
    ///     struct Timeline: Codable { @Lossy var tweets: [Tweet] = [] }
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// A collection that can be decoded without those of its elements that do not decode.
///
/// Arrays, sets, dictionaries with string keys, and optionals of them are.
///
///     struct Timeline: Codable { @Lossy var tags: Set<String> }
public protocol LossyDecodable {
    /// Decodes the elements that can be decoded, and notes the others in the decoder's `driftRecorder`.
    ///
    ///     struct Tags: Decodable {
    ///         var names: [String]
    ///         init(from decoder: any Decoder) throws { names = try [String].decodeLossily(from: decoder) }
    ///     }
    ///
    /// - Throws: `DecodingError` when there is no such collection.
    static func decodeLossily(from decoder: any Decoder) throws -> Self
}

extension Array: LossyDecodable where Element: Decodable {
    /// Decodes the elements that can be decoded, in order.
    public static func decodeLossily(from decoder: any Decoder) throws -> [Element] {
        try decoder.decodeArray([Element].self, invalidElementStrategy: .remove)
    }
}

extension Set: LossyDecodable where Element: Decodable {
    /// Decodes the elements that can be decoded.
    public static func decodeLossily(from decoder: any Decoder) throws -> Set<Element> {
        var container = try decoder.unkeyedContainer()
        var elements: Set<Element> = []
        try container.decodeElements(.remove) { (element: Element) in _ = elements.insert(element) }
        return elements
    }
}

extension Dictionary: LossyDecodable where Key == String, Value: Decodable {
    /// Decodes the values that can be decoded, with their keys as they are.
    public static func decodeLossily(from decoder: any Decoder) throws -> [String: Value] {
        try decoder.decodeDictionary([String: Value].self, invalidElementStrategy: .remove)
    }
}

extension Optional: LossyDecodable where Wrapped: LossyDecodable {
    /// Nil from null, else the elements that can be decoded.
    public static func decodeLossily(from decoder: any Decoder) throws -> Wrapped? {
        try decoder.singleValueContainer().decodeNil() ? nil : Wrapped.decodeLossily(from: decoder)
    }
}

extension Lossy: KeyedDecodable, Decodable {
    /// Decodes the elements that can be decoded.
    public init(from decoder: any Decoder) throws { wrappedValue = try Value.decodeLossily(from: decoder) }

    /// Decodes the elements that can be decoded; nil for an optional collection whose key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        if let decoded: Self = try container.decodeWrapped(Value.self, forKey: key) {
            self = decoded
        } else if let absent = absentValue(of: Value.self) {
            self.init(wrappedValue: absent)
        } else {
            self = try container.decodeValue(forKey: key)
        }
    }
}

extension Lossy: KeyedEncodable, Encodable where Value: Encodable {
    /// Whether the collection is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the collection as it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Lossy: Equatable where Value: Equatable {}
extension Lossy: Hashable where Value: Hashable {}
extension Lossy: Sendable where Value: Sendable {}
