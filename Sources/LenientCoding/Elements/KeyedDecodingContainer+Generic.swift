extension KeyedDecodingContainer {
    /// Decodes a value of the type that the context asks for.
    ///
    ///     int = try container.decode("int")
    ///
    /// - Throws: `DecodingError` when the key is missing or its value does not decode.
    public func decode<Value: Decodable>(_ key: Key) throws -> Value { try decode(Value.self, forKey: key) }

    /// Decodes a value of the type that the context asks for; nil when the key is missing or its value is null.
    ///
    ///     let lang: String? = try container.decodeIfPresent("lang")
    public func decodeIfPresent<Value: Decodable>(_ key: Key) throws -> Value? {
        try decodeIfPresent(Value.self, forKey: key)
    }

    /// Decodes a value of the type of `standard`, which stands in when the key is missing or its value is null.
    ///
    ///     regions = try container.decode("regions", default: [])
    ///
    /// - Throws: `DecodingError` when there is a value that does not decode.
    public func decode<Value: Decodable>(
        _ key: Key, default standard: @autoclosure () throws -> Value
    ) throws -> Value {
        try isPresent(key) ? decode(Value.self, forKey: key) : standard()
    }

    /// The object under `key`, by the names of its own members.
    ///
    ///     let currently = try container.nestedContainer("currently")
    ///     temperature = try currently.decode("temperature")
    public func nestedContainer(_ key: Key) throws -> KeyedDecodingContainer<RawCodingKey> {
        try nestedContainer(keyedBy: RawCodingKey.self, forKey: key)
    }

    /// The object under `key`, by keys of another type.
    ///
    ///     enum UserKey: String, CodingKey { case id, name }
    ///     let user = try container.nestedContainer("user", keyedBy: UserKey.self)
    ///     let id = try user.decode(Int.self, forKey: .id)
    public func nestedContainer<NestedKey: CodingKey>(
        _ key: Key, keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nestedContainer(keyedBy: type, forKey: key)
    }

    /// The array under `key`.
    ///
    ///     var tags = try container.nestedUnkeyedContainer("tags")
    ///     let first: String = try tags.decode()
    public func nestedUnkeyedContainer(_ key: Key) throws -> any UnkeyedDecodingContainer {
        try nestedUnkeyedContainer(forKey: key)
    }
}

extension UnkeyedDecodingContainer {
    /// Decodes the next element as the type that the context asks for.
    ///
    ///     let first: String = try list.decode()
    public mutating func decode<Value: Decodable>() throws -> Value { try decode(Value.self) }

    /// Decodes the next element as the type that the context asks for; nil when there is none or it is null.
    ///
    ///     let first: String? = try list.decodeIfPresent()
    public mutating func decodeIfPresent<Value: Decodable>() throws -> Value? {
        try decodeIfPresent(Value.self)
    }

    /// The next element, an object, by the names of its members.
    ///
    ///     let user = try list.nestedContainer()
    ///     let name: String = try user.decode("name")
    public mutating func nestedContainer() throws -> KeyedDecodingContainer<RawCodingKey> {
        try nestedContainer(keyedBy: RawCodingKey.self)
    }
}
