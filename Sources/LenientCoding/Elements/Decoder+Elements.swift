extension Decoder {
    /// Decodes the decoder's value as an array whose elements may fail one by one.
    ///
    ///     struct Scores: Decodable {
    ///         var values: [Int]
    ///         init(from decoder: any Decoder) throws {
    ///             values = try decoder.decodeArray(invalidElementStrategy: .fallback(0))
    ///         }
    ///     }
    ///
    /// - Parameter invalidElementStrategy: what becomes of elements that do not decode; as `userInfo` says when nil,
    ///   and `fail` when that says nothing.
    /// - Throws: `DecodingError` when there is no array, or for an element that the strategy lets fail.
    public func decodeArray<Element: Decodable>(
        _ type: [Element].Type = [Element].self, invalidElementStrategy: InvalidElementStrategy<Element>? = nil
    ) throws -> [Element] {
        var container = try unkeyedContainer()
        var elements: [Element] = []
        try container.decodeElements(invalidElementStrategy) { elements.append($0) }
        return elements
    }

    /// Decodes the decoder's value as a dictionary whose values may fail one by one; its keys stay as they are.
    ///
    ///     struct Counts: Decodable {
    ///         var values: [String: Int]
    ///         init(from decoder: any Decoder) throws {
    ///             values = try decoder.decodeDictionary(invalidElementStrategy: .remove)
    ///         }
    ///     }
    ///
    /// - Parameter invalidElementStrategy: what becomes of values that do not decode; as `userInfo` says when nil,
    ///   and `fail` when that says nothing.
    /// - Throws: `DecodingError` when there is no dictionary, or for a value that the strategy lets fail.
    public func decodeDictionary<Value: Decodable>(
        _ type: [String: Value].Type = [String: Value].self,
        invalidElementStrategy: InvalidElementStrategy<Value>? = nil
    ) throws -> [String: Value] {
        try singleValueContainer().decode([String: Attempt<Value>].self).resolved(by: invalidElementStrategy)
    }
}
