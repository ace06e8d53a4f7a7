extension KeyedDecodingContainer {
    /// Decodes a value of mixed or unknown type: `[String: Any]`, `[Any]`, `Any`, or what such a value is cast to.
    ///
    ///     details = try container.decodeAny([String: Any].self, forKey: "details")
    ///
    /// The values inside are those of ``AnyCodable/value``.
    /// - Throws: `DecodingError` when the key is missing or its value is not of that type.
    public func decodeAny<Value>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(AnyCodable.self, forKey: key).cast(to: type, at: codingPath + [key])
    }

    /// Decodes a value of mixed or unknown type; nil when the key is missing or its value is null.
    ///
    ///     let details = try container.decodeAnyIfPresent([String: Any].self, forKey: "details")
    public func decodeAnyIfPresent<Value>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try isPresent(key) ? decodeAny(type, forKey: key) : nil
    }

    /// Decodes a value of the mixed or unknown type that the context asks for.
    ///
    ///     let details: [String: Any] = try container.decodeAny("details")
    public func decodeAny<Value>(_ key: Key) throws -> Value { try decodeAny(Value.self, forKey: key) }

    /// Decodes a value of the mixed or unknown type that the context asks for; nil when the key is missing or its value
    /// is null.
    ///
    ///     let details: [String: Any]? = try container.decodeAnyIfPresent("details")
    public func decodeAnyIfPresent<Value>(_ key: Key) throws -> Value? {
        try decodeAnyIfPresent(Value.self, forKey: key)
    }
}

extension UnkeyedDecodingContainer {
    /// Decodes the next element, of mixed or unknown type: `[String: Any]`, `[Any]`, `Any`.
    ///
    /// The values inside are those of ``AnyCodable/value``.
    ///
    ///     let details = try list.decodeAny([String: Any].self)
    ///
    /// - Throws: `DecodingError` when there is none or it is not of that type.
    public mutating func decodeAny<Value>(_ type: Value.Type = Value.self) throws -> Value {
        let path = codingPath + [RawCodingKey(intValue: currentIndex)]
        return try decode(AnyCodable.self).cast(to: type, at: path)
    }

    /// Decodes the next element, of mixed or unknown type; nil when there is none or it is null.
    ///
    ///     let details = try list.decodeAnyIfPresent([String: Any].self)
    public mutating func decodeAnyIfPresent<Value>(_ type: Value.Type = Value.self) throws -> Value? {
        try hasValue() ? decodeAny(type) : nil
    }
}

extension KeyedEncodingContainer {
    /// Encodes a value of mixed or unknown type.
    ///
    ///     func encode(to encoder: any Encoder) throws {
    ///         var container = encoder.container(keyedBy: RawCodingKey.self)
    ///         try container.encodeAny(details, forKey: "details")
    ///     }
    ///
    /// - Throws: `EncodingError` when it holds a value that ``AnyCodable`` does not know.
    public mutating func encodeAny(_ value: Any, forKey key: Key) throws {
        try encode(AnyCodable.encodable(value, at: codingPath + [key]), forKey: key)
    }

    /// Encodes a value of mixed or unknown type; nil is left out.
    ///
    ///     func encode(to encoder: any Encoder) throws {
    ///         var container = encoder.container(keyedBy: RawCodingKey.self)
    ///         try container.encodeAnyIfPresent(details["lang"], forKey: "lang")
    ///     }
    public mutating func encodeAnyIfPresent(_ value: Any?, forKey key: Key) throws {
        if let value { try encodeAny(value, forKey: key) }
    }
}

extension UnkeyedEncodingContainer {
    /// Encodes a value of mixed or unknown type as the next element.
    ///
    ///     func encode(to encoder: any Encoder) throws {
    ///         var list = encoder.unkeyedContainer()
    ///         for detail in ["a", 1, true] as [Any] { try list.encodeAny(detail) }  // ["a",1,true]
    ///     }
    ///
    /// - Throws: `EncodingError` when it holds a value that ``AnyCodable`` does not know.
    public mutating func encodeAny(_ value: Any) throws {
        try encode(AnyCodable.encodable(value, at: codingPath + [RawCodingKey(intValue: count)]))
    }
}

extension AnyCodable {
    fileprivate func cast<Value>(to type: Value.Type, at path: [any CodingKey]) throws -> Value {
        if let value = value as? Value { return value }
        throw DecodingError.typeMismatch(
            type,
            DecodingError.Context(codingPath: path, debugDescription: "Expected \(type), found another kind of value."))
    }

    fileprivate static func encodable(_ value: Any, at path: [any CodingKey]) throws -> AnyCodable {
        if let value = AnyCodable(value) { return value }
        throw EncodingError.invalidValue(
            value, EncodingError.Context(codingPath: path, debugDescription: "No AnyCodable has such a value."))
    }
}
