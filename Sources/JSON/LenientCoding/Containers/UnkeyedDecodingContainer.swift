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
