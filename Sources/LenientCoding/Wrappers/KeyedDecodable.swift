/// A property wrapper that decides itself what a key that is missing or null means.
///
/// The wrappers of this module conform to it; it is what makes the `init(from:)` that the compiler writes ask them.
///
///     @propertyWrapper
///     struct EmptyIfMissing: KeyedDecodable {
///         var wrappedValue: String
///         init(from decoder: any Decoder) throws { wrappedValue = try String(from: decoder) }
///         init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
///             wrappedValue = try container.decodeIfPresent(String.self, forKey: key) ?? ""
///         }
///     }
public protocol KeyedDecodable: Decodable {
    /// Decodes the wrapper's property from the container of its model.
    ///
    ///     let count = try DefaultZero<Int>(from: container, forKey: "retweet_count").wrappedValue
    init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws
}

/// A property wrapper that decides itself whether its key is written.
///
/// The wrappers of this module conform to it; it is what makes the `encode(to:)` that the compiler writes leave out the
/// keys of optional values that are nil.
///
///     @propertyWrapper
///     struct UnlessEmpty: KeyedEncodable {
///         var wrappedValue: String
///         var isLeftOut: Bool { wrappedValue.isEmpty }
///         func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
///     }
public protocol KeyedEncodable: Encodable {
    /// Whether there is nothing to write.
    ///
    ///     Lossless<Int?>(wrappedValue: nil).isLeftOut  // true
    var isLeftOut: Bool { get }
}

extension KeyedDecodingContainer {
    /// Decodes a wrapped property; the wrapper says what a missing key means.
    ///
    ///     let count = try container.decode(DefaultZero<Int>.self, forKey: "retweet_count").wrappedValue
    public func decode<Wrapper: KeyedDecodable>(_ type: Wrapper.Type, forKey key: Key) throws -> Wrapper {
        try Wrapper(from: self, forKey: key)
    }

    /// Decodes a wrapper from its value, without asking it about the key.
    func decodeValue<Wrapper: Decodable>(forKey key: Key) throws -> Wrapper { try decode(Wrapper.self, forKey: key) }

    /// Decodes the wrapper of a `Value` from its value; where the value is optional and missing or null, nothing.
    ///
    /// An optional value is asked for as such, so that a decoder forgives in it what it forgives in optional values.
    func decodeWrapped<Wrapper: Decodable, Value>(_ type: Value.Type, forKey key: Key) throws -> Wrapper? {
        guard type is any NilRepresentable.Type else { return try decodeValue(forKey: key) }
        return try decodeIfPresent(Wrapper.self, forKey: key)
    }
}

extension KeyedEncodingContainer {
    /// Encodes a wrapped property, or leaves its key out.
    ///
    ///     func encode(to encoder: any Encoder) throws {
    ///         var container = encoder.container(keyedBy: RawCodingKey.self)
    ///         try container.encode(Lossless<Int?>(wrappedValue: nil), forKey: "age")  // {}
    ///     }
    public mutating func encode<Wrapper: KeyedEncodable>(_ value: Wrapper, forKey key: Key) throws {
        if !value.isLeftOut { try encodeValue(value, forKey: key) }
    }

    private mutating func encodeValue<Wrapper: Encodable>(_ value: Wrapper, forKey key: Key) throws {
        try encode(value, forKey: key)
    }
}
