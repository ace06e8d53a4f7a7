extension KeyedDecodingContainer {
    /// Decodes a value of mixed or unknown type: `[String: Any]`, `[Any]`, `Any`, or a type that it can be cast to.
    ///
    ///     details = try container.decodeUntyped([String: Any].self, forKey: "details")
    ///
    /// Inner values have the types of ``AnyCodable/value``.
    ///
    /// - Throws: `DecodingError` if the key is missing or its value has another type.
    public func decodeUntyped<Value>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decode(AnyCodable.self, forKey: key).cast(to: type, at: codingPath + [key])
    }

    /// Decodes a value of mixed or unknown type; returns nil if the key is missing or its value is null.
    public func decodeUntypedIfPresent<Value>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try isPresent(key) ? decodeUntyped(type, forKey: key) : nil
    }

    /// Decodes a value of the inferred mixed or unknown type; see ``decodeUntyped(_:forKey:)``.
    ///
    ///     let details: [String: Any] = try container.decodeUntyped("details")
    public func decodeUntyped<Value>(_ key: Key) throws -> Value { try decodeUntyped(Value.self, forKey: key) }

    /// Decodes a value of the inferred mixed or unknown type; returns nil if the key is missing or its value is null.
    public func decodeUntypedIfPresent<Value>(_ key: Key) throws -> Value? {
        try decodeUntypedIfPresent(Value.self, forKey: key)
    }
}

extension UnkeyedDecodingContainer {
    /// Decodes the next element, of mixed or unknown type: `[String: Any]`, `[Any]` or `Any`.
    ///
    /// Inner values have the types of ``AnyCodable/value``.
    ///
    /// - Throws: `DecodingError` if the container is at its end or the element has another type.
    public mutating func decodeUntyped<Value>(_ type: Value.Type = Value.self) throws -> Value {
        let path = codingPath + [RawCodingKey(intValue: currentIndex)]
        return try decode(AnyCodable.self).cast(to: type, at: path)
    }

    /// Decodes the next element, of mixed or unknown type; returns nil if it is null or the container is at its end.
    public mutating func decodeUntypedIfPresent<Value>(_ type: Value.Type = Value.self) throws -> Value? {
        try hasValue() ? decodeUntyped(type) : nil
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
    fileprivate func cast<Value>(to type: Value.Type, at path: [any CodingKey]) throws -> Value {
        if let value = value as? Value { return value }
        throw DecodingError.typeMismatch(
            type,
            DecodingError.Context(
                codingPath: path, debugDescription: "Expected \(type), found a value of another type."))
    }

    fileprivate static func encodable(_ value: Any, at path: [any CodingKey]) throws -> AnyCodable {
        let any = AnyCodable(value)
        guard let reason = any.unsupported else { return any }
        throw EncodingError.invalidValue(value, EncodingError.Context(codingPath: path, debugDescription: reason))
    }
}
