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

    /// Decodes a value whose type is named by a member of its own object.
    ///
    ///     enum Shape: Decodable {
    ///         case user(User), tag(Hashtag)
    ///         init(from decoder: any Decoder) throws {
    ///             self = try decoder.decodeTagged("kind") { kind, decoder in
    ///                 switch kind {
    ///                 case "user": .user(try User(from: decoder))
    ///                 case "tag": .tag(try Hashtag(from: decoder))
    ///                 default: nil
    ///                 }
    ///             }
    ///         }
    ///     }
    ///
    /// - Parameter decode: returns the value of a tag; nil for an unknown tag.
    /// - Throws: `DecodingError` with the path of the tag if it is missing, no string or unknown; the error of `decode`.
    public func decodeTagged<Value>(
        _ key: RawCodingKey, _ decode: (_ tag: String, _ decoder: any Decoder) throws -> Value?
    ) throws -> Value {
        let container = try container(keyedBy: RawCodingKey.self)
        let tag = try container.decode(String.self, forKey: key)
        if let value = try decode(tag, self) { return value }
        throw DecodingError.dataCorruptedError(
            forKey: key, in: container, debugDescription: "\(quote(.string(tag)) ?? "The tag") is unknown.")
    }

    /// Decodes the first of several alternatives that decodes.
    ///
    ///     enum Place: Decodable {
    ///         case name(String), coordinates(Coordinates)
    ///         init(from decoder: any Decoder) throws {
    ///             self = try decoder.decodeFirst(
    ///                 { .coordinates(try Coordinates(from: $0)) }, { .name(try String(from: $0)) })
    ///         }
    ///     }
    ///
    /// A decoder with `coercion` converts scalars: state a string before a number, and an object before both.
    ///
    /// - Throws: `DecodingError.typeMismatch` with the errors of all alternatives in its description if none decodes.
    public func decodeFirst<Value>(_ alternatives: ((any Decoder) throws -> Value)...) throws -> Value {
        var errors: [String] = []
        for decode in alternatives {
            do {
                return try decode(self)
            } catch let error as DecodingError {
                errors.append(JSONDecodingError(error).reason)
            } catch {
                errors.append("\(error)")
            }
        }
        throw DecodingError.typeMismatch(
            Value.self,
            DecodingError.Context(
                codingPath: codingPath, debugDescription: "No alternative decodes. " + errors.joined(separator: " ")))
    }
}
