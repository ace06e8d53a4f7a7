extension Encoder {
    /// Encodes a value as an object with one more member, which names its type.
    ///
    ///     struct Topic: Encodable {
    ///         var tag: Hashtag
    ///         func encode(to encoder: any Encoder) throws {
    ///             try encoder.encodeTagged("kind", as: "tag", tag)  // {"kind":"tag","text":…}
    ///         }
    ///     }
    ///
    /// - Throws: `EncodingError`, also for a value that is not encoded as an object.
    public func encodeTagged(_ key: RawCodingKey, as tag: String, _ value: some Encodable) throws {
        var container = container(keyedBy: RawCodingKey.self)
        try container.encode(tag, forKey: key)
        try value.encode(to: self)
    }
}

extension KeyedEncodingContainer {
    /// Encodes a value of mixed or unknown type.
    ///
    ///     func encode(to encoder: any Encoder) throws {
    ///         var container = encoder.container(keyedBy: RawCodingKey.self)
    ///         try container.encodeUntyped(details, forKey: "details")
    ///     }
    ///
    /// - Throws: `EncodingError` if the value or an inner value has a type that ``AnyCodable`` does not support.
    public mutating func encodeUntyped(_ value: Any, forKey key: Key) throws {
        try encode(AnyCodable.encodable(value, at: codingPath + [key]), forKey: key)
    }

    /// Encodes a value of mixed or unknown type, or nothing if it is nil.
    ///
    /// - Throws: `EncodingError` if the value or an inner value has a type that ``AnyCodable`` does not support.
    public mutating func encodeUntypedIfPresent(_ value: Any?, forKey key: Key) throws {
        if let value { try encodeUntyped(value, forKey: key) }
    }
}

extension UnkeyedEncodingContainer {
    /// Encodes a value of mixed or unknown type as the next element.
    ///
    ///     func encode(to encoder: any Encoder) throws {
    ///         var list = encoder.unkeyedContainer()
    ///         for detail in ["a", 1, true] as [Any] { try list.encodeUntyped(detail) }  // ["a",1,true]
    ///     }
    ///
    /// - Throws: `EncodingError` if the value or an inner value has a type that ``AnyCodable`` does not support.
    public mutating func encodeUntyped(_ value: Any) throws {
        try encode(AnyCodable.encodable(value, at: codingPath + [RawCodingKey(intValue: count)]))
    }
}

extension AnyCodable {
    func cast<Value>(to type: Value.Type, at path: [any CodingKey]) throws -> Value {
        if let value = value as? Value { return value }
        throw DecodingError.typeMismatch(
            type,
            DecodingError.Context(
                codingPath: path, debugDescription: "Expected \(type), found a value of another type."))
    }

    static func encodable(_ value: Any, at path: [any CodingKey]) throws -> AnyCodable {
        let any = AnyCodable(value)
        guard let reason = any.unsupported else { return any }
        throw EncodingError.invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: reason))
    }
}
