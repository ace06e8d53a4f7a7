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
}

extension UnkeyedDecodingContainer {
    /// Decodes the next element, an array whose own elements may fail separately.
    ///
    ///     let row = try list.decodeElements([Int].self, invalidElementStrategy: .fallback(0))
    ///
    /// - Parameter invalidElementStrategy: what to do with elements that do not decode; if nil, the strategy in the
    ///   decoder's `userInfo`, or `fail` without one.
    /// - Throws: `DecodingError` if the next element is not an array; the error of an inner element if the strategy is
    ///   `fail`.
    public mutating func decodeElements<Element: Decodable>(
        _ type: [Element].Type = [Element].self, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element] {
        var container = try nestedUnkeyedContainer()
        return try container.collectElements(invalidElementStrategy)
    }

    /// Decodes the next element as an array; returns nil if it is null or the container is at its end.
    public mutating func decodeElementsIfPresent<Element: Decodable>(
        _ type: [Element].Type = [Element].self, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element]? {
        guard try hasValue() else { return nil }
        return try decodeElements(type, invalidElementStrategy: invalidElementStrategy)
    }

    /// Decodes the next element, a dictionary whose values may fail separately; no strategy converts its keys.
    ///
    /// - Parameter invalidElementStrategy: what to do with values that do not decode; if nil, the strategy in the
    ///   decoder's `userInfo`, or `fail` without one.
    /// - Throws: `DecodingError` if the next element is not an object; the error of a value if the strategy is `fail`.
    public mutating func decodeValues<Value: Decodable>(
        _ type: [String: Value].Type = [String: Value].self,
        invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value] {
        try decode([String: ElementAttempt<Value>].self).resolved(by: invalidElementStrategy)
    }

    /// Decodes the next element as a dictionary; returns nil if it is null or the container is at its end.
    public mutating func decodeValuesIfPresent<Value: Decodable>(
        _ type: [String: Value].Type = [String: Value].self,
        invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value]? {
        guard try hasValue() else { return nil }
        return try decodeValues(type, invalidElementStrategy: invalidElementStrategy)
    }

    /// Returns whether the next element exists and is not null; moves past a null.
    mutating func hasValue() throws -> Bool {
        if isAtEnd { return false }
        return try !decodeNil()
    }
}

extension Decoder {
    /// Decodes an array whose elements may fail separately.
    ///
    ///     struct Scores: Decodable {
    ///         var values: [Int]
    ///         init(from decoder: any Decoder) throws {
    ///             values = try decoder.decodeElements(invalidElementStrategy: .fallback(0))
    ///         }
    ///     }
    ///
    /// - Parameter invalidElementStrategy: what to do with elements that do not decode; if nil, the strategy in
    ///   `userInfo`, or `fail` without one.
    /// - Throws: `DecodingError` if the value is not an array; the error of an element if the strategy is `fail`.
    public func decodeElements<Element: Decodable>(
        _ type: [Element].Type = [Element].self, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element] {
        var container = try unkeyedContainer()
        return try container.collectElements(invalidElementStrategy)
    }

    /// Decodes a dictionary whose values may fail separately; no strategy converts its keys.
    ///
    /// - Parameter invalidElementStrategy: what to do with values that do not decode; if nil, the strategy in
    ///   `userInfo`, or `fail` without one.
    /// - Throws: `DecodingError` if the value is not an object; the error of a value if the strategy is `fail`.
    public func decodeValues<Value: Decodable>(
        _ type: [String: Value].Type = [String: Value].self,
        invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value] {
        try singleValueContainer().decode([String: ElementAttempt<Value>].self).resolved(by: invalidElementStrategy)
    }
}
