extension KeyedDecodingContainer {
    /// Decodes an array whose elements may fail separately.
    ///
    ///     let scores = try container.decodeElements([Int].self, forKey: "scores", invalidElementStrategy: .remove)
    ///
    /// - Parameter invalidElementStrategy: what to do with elements that do not decode; if nil, the strategy in the
    ///   decoder's `userInfo`, or `fail` without one.
    /// - Throws: `DecodingError` if the key is missing or its value is not an array; the error of an element if the
    ///   strategy is `fail`.
    public func decodeElements<Element: Decodable>(
        _ type: [Element].Type, forKey key: Key, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element] {
        var container = try nestedUnkeyedContainer(forKey: key)
        return try container.collectElements(invalidElementStrategy)
    }

    /// Decodes an array whose elements may fail separately; returns nil if the key is missing or its value is null.
    public func decodeElementsIfPresent<Element: Decodable>(
        _ type: [Element].Type, forKey key: Key, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element]? {
        guard try isPresent(key) else { return nil }
        return try decodeElements(type, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Decodes a dictionary whose values may fail separately; no strategy converts its keys.
    ///
    ///     let counts = try container.decodeValues(
    ///         [String: Int].self, forKey: "counts", invalidElementStrategy: .fallback(0))
    ///
    /// - Parameter invalidElementStrategy: what to do with values that do not decode; if nil, the strategy in the
    ///   decoder's `userInfo`, or `fail` without one.
    /// - Throws: `DecodingError` if the key is missing or its value is not an object; the error of a value if the
    ///   strategy is `fail`.
    public func decodeValues<Value: Decodable>(
        _ type: [String: Value].Type, forKey key: Key, invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value] {
        try decode([String: ElementAttempt<Value>].self, forKey: key).resolved(by: invalidElementStrategy)
    }

    /// Decodes a dictionary whose values may fail separately; returns nil if the key is missing or its value is null.
    public func decodeValuesIfPresent<Value: Decodable>(
        _ type: [String: Value].Type, forKey key: Key, invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value]? {
        guard try isPresent(key) else { return nil }
        return try decodeValues(type, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Returns whether `key` has a value other than null.
    func isPresent(_ key: Key) throws -> Bool {
        guard contains(key) else { return false }
        return try !decodeNil(forKey: key)
    }

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
