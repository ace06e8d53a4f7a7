extension KeyedDecodingContainer {
    /// Decodes an array whose elements may fail one by one.
    ///
    ///     let scores = try container.decodeArray([Int].self, forKey: "scores", invalidElementStrategy: .remove)
    ///
    /// - Parameter invalidElementStrategy: what becomes of elements that do not decode; as the decoder's `userInfo`
    ///   says when nil, and `fail` when that says nothing.
    /// - Throws: `DecodingError` when there is no array, or for an element that the strategy lets fail.
    public func decodeArray<Element: Decodable>(
        _ type: [Element].Type, forKey key: Key, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element] {
        var container = try nestedUnkeyedContainer(forKey: key)
        var elements: [Element] = []
        try container.decodeElements(invalidElementStrategy) { elements.append($0) }
        return elements
    }

    /// Decodes an array whose elements may fail one by one; nil when the key is missing or its value is null.
    ///
    ///     let tags = try container.decodeArrayIfPresent([String].self, forKey: "tags")
    public func decodeArrayIfPresent<Element: Decodable>(
        _ type: [Element].Type, forKey key: Key, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element]? {
        guard try isPresent(key) else { return nil }
        return try decodeArray(type, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Decodes a dictionary whose values may fail one by one; its keys are data and stay as they are.
    ///
    ///     let counts = try container.decodeDictionary(
    ///         [String: Int].self, forKey: "counts", invalidElementStrategy: .fallback(0))
    ///
    /// - Parameter invalidElementStrategy: what becomes of values that do not decode; as the decoder's `userInfo`
    ///   says when nil, and `fail` when that says nothing.
    /// - Throws: `DecodingError` when there is no dictionary, or for a value that the strategy lets fail.
    public func decodeDictionary<Value: Decodable>(
        _ type: [String: Value].Type, forKey key: Key, invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value] {
        try decode([String: Attempt<Value>].self, forKey: key).resolved(by: invalidElementStrategy)
    }

    /// Decodes a dictionary whose values may fail one by one; nil when the key is missing or its value is null.
    ///
    ///     let counts = try container.decodeDictionaryIfPresent([String: Int].self, forKey: "counts")
    public func decodeDictionaryIfPresent<Value: Decodable>(
        _ type: [String: Value].Type, forKey key: Key, invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value]? {
        guard try isPresent(key) else { return nil }
        return try decodeDictionary(type, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Whether `key` is there with a value other than null.
    func isPresent(_ key: Key) throws -> Bool {
        guard contains(key) else { return false }
        return try !decodeNil(forKey: key)
    }
}

extension KeyedDecodingContainer {
    /// Decodes an array of the type that the context asks for; see ``decodeArray(_:forKey:invalidElementStrategy:)``.
    ///
    ///     let scores: [Int] = try container.decodeArray("scores", invalidElementStrategy: .remove)
    public func decodeArray<Element: Decodable>(
        _ key: Key, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element] {
        try decodeArray([Element].self, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Decodes an array of the type that the context asks for; nil when the key is missing or its value is null.
    ///
    ///     let tags: [String]? = try container.decodeArrayIfPresent("tags")
    public func decodeArrayIfPresent<Element: Decodable>(
        _ key: Key, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element]? {
        try decodeArrayIfPresent([Element].self, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Decodes a dictionary of the type that the context asks for; see
    /// ``decodeDictionary(_:forKey:invalidElementStrategy:)``.
    ///
    ///     let counts: [String: Int] = try container.decodeDictionary("counts", invalidElementStrategy: .remove)
    public func decodeDictionary<Value: Decodable>(
        _ key: Key, invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value] {
        try decodeDictionary([String: Value].self, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }

    /// Decodes a dictionary of the type that the context asks for; nil when the key is missing or its value is null.
    ///
    ///     let counts: [String: Int]? = try container.decodeDictionaryIfPresent("counts")
    public func decodeDictionaryIfPresent<Value: Decodable>(
        _ key: Key, invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value]? {
        try decodeDictionaryIfPresent(
            [String: Value].self, forKey: key, invalidElementStrategy: invalidElementStrategy)
    }
}
