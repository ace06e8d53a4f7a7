// Calls whose result type is inferred from the context.

extension KeyedDecodingContainer {
    /// Decodes a value of the inferred type.
    ///
    ///     int = try container.decode("int")
    ///
    /// - Throws: `DecodingError` if the key is missing or its value does not decode.
    public func decode<Value: Decodable>(_ key: Key) throws -> Value { try decode(Value.self, forKey: key) }

    /// Decodes a value of the inferred type; returns nil if the key is missing or its value is null.
    public func decodeIfPresent<Value: Decodable>(_ key: Key) throws -> Value? {
        try decodeIfPresent(Value.self, forKey: key)
    }

    /// Decodes a value of the inferred type; returns `standard` if the key is missing or its value is null.
    ///
    ///     regions = try container.decode("regions", default: [])
    ///
    /// - Throws: `DecodingError` if the value does not decode, or the error of `standard`.
    public func decode<Value: Decodable>(
        _ key: Key, default standard: @autoclosure () throws -> Value
    ) throws -> Value {
        try isPresent(key) ? decode(Value.self, forKey: key) : standard()
    }

    /// Decodes an array of the inferred type; see ``decodeElements(_:forKey:invalidElementStrategy:)``.
    ///
    ///     let scores: [Int] = try container.decodeElements("scores", invalidElementStrategy: .remove)
    public func decodeElements<Element: Decodable>(
        _ key: Key, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element] {
        try decodeElements([Element].self, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Decodes an array of the inferred type; returns nil if the key is missing or its value is null.
    public func decodeElementsIfPresent<Element: Decodable>(
        _ key: Key, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element]? {
        try decodeElementsIfPresent([Element].self, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Decodes a dictionary of the inferred type; see ``decodeValues(_:forKey:invalidElementStrategy:)``.
    public func decodeValues<Value: Decodable>(
        _ key: Key, invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value] {
        try decodeValues([String: Value].self, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Decodes a dictionary of the inferred type; returns nil if the key is missing or its value is null.
    public func decodeValuesIfPresent<Value: Decodable>(
        _ key: Key, invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value]? {
        try decodeValuesIfPresent(
            [String: Value].self, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Returns the container of the object for `key`, with the names of its members as keys.
    ///
    ///     let currently = try container.nestedContainer("currently")
    ///     temperature = try currently.decode("temperature")
    public func nestedContainer(_ key: Key) throws -> KeyedDecodingContainer<RawCodingKey> {
        try nestedContainer(keyedBy: RawCodingKey.self, forKey: key)
    }

    /// Returns the container of the object for `key`, with keys of another type.
    ///
    ///     enum UserKey: String, CodingKey { case id, name }
    ///     let user = try container.nestedContainer("user", keyedBy: UserKey.self)
    ///     let id = try user.decode(Int.self, forKey: .id)
    public func nestedContainer<NestedKey: CodingKey>(
        _ key: Key, keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try nestedContainer(keyedBy: type, forKey: key)
    }

    /// Returns the container of the array for `key`.
    ///
    ///     var tags = try container.nestedUnkeyedContainer("tags")
    ///     let first: String = try tags.decode()
    public func nestedUnkeyedContainer(_ key: Key) throws -> any UnkeyedDecodingContainer {
        try nestedUnkeyedContainer(forKey: key)
    }
}

extension UnkeyedDecodingContainer {
    /// Decodes the next element as the inferred type.
    public mutating func decode<Value: Decodable>() throws -> Value { try decode(Value.self) }

    /// Decodes the next element as the inferred type; returns nil if it is null or the container is at its end.
    public mutating func decodeIfPresent<Value: Decodable>() throws -> Value? { try decodeIfPresent(Value.self) }

    /// Returns the container of the next element, an object, with the names of its members as keys.
    ///
    ///     let user = try list.nestedContainer()
    ///     let name: String = try user.decode("name")
    public mutating func nestedContainer() throws -> KeyedDecodingContainer<RawCodingKey> {
        try nestedContainer(keyedBy: RawCodingKey.self)
    }
}
