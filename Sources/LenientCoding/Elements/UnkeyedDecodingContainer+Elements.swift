extension UnkeyedDecodingContainer {
    /// Decodes the next element, an array whose own elements may fail one by one.
    ///
    ///     let row = try list.decodeArray([Int].self, invalidElementStrategy: .fallback(0))
    ///
    /// - Parameter invalidElementStrategy: what becomes of elements that do not decode; as the decoder's `userInfo`
    ///   says when nil, and `fail` when that says nothing.
    /// - Throws: `DecodingError` when there is no array, or for an element that the strategy lets fail.
    public mutating func decodeArray<Element: Decodable>(
        _ type: [Element].Type = [Element].self, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element] {
        var container = try nestedUnkeyedContainer()
        var elements: [Element] = []
        try container.decodeElements(invalidElementStrategy) { elements.append($0) }
        return elements
    }

    /// Decodes the next element as an array; nil when there is none or it is null.
    ///
    ///     let row = try list.decodeArrayIfPresent([Int].self)
    public mutating func decodeArrayIfPresent<Element: Decodable>(
        _ type: [Element].Type = [Element].self, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element]? {
        guard try hasValue() else { return nil }
        return try decodeArray(type, invalidElementStrategy: invalidElementStrategy)
    }

    /// Decodes the next element, a dictionary whose values may fail one by one; its keys stay as they are.
    ///
    ///     let counts = try list.decodeDictionary([String: Int].self, invalidElementStrategy: .remove)
    ///
    /// - Parameter invalidElementStrategy: what becomes of values that do not decode; as the decoder's `userInfo`
    ///   says when nil, and `fail` when that says nothing.
    /// - Throws: `DecodingError` when there is no dictionary, or for a value that the strategy lets fail.
    public mutating func decodeDictionary<Value: Decodable>(
        _ type: [String: Value].Type = [String: Value].self,
        invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value] {
        try decode([String: Attempt<Value>].self).resolved(by: invalidElementStrategy)
    }

    /// Decodes the next element as a dictionary; nil when there is none or it is null.
    ///
    ///     let counts = try list.decodeDictionaryIfPresent([String: Int].self)
    public mutating func decodeDictionaryIfPresent<Value: Decodable>(
        _ type: [String: Value].Type = [String: Value].self,
        invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value]? {
        guard try hasValue() else { return nil }
        return try decodeDictionary(type, invalidElementStrategy: invalidElementStrategy)
    }

    /// Whether there is an element other than null; moves past a null.
    mutating func hasValue() throws -> Bool {
        if isAtEnd { return false }
        return try !decodeNil()
    }
}
