/// An array, dictionary or set without the elements that do not decode.
///
///     struct Timeline: Codable {
///         @Lossy var tweets: [Tweet]
///         @Lossy var counts: [String: Int]?
///         @Lossy var tags: Set<String>
///     }
///
/// The decoder's `driftRecorder` notes removed elements. A collection that is missing or has another type is an error;
/// an optional one is nil if its key is missing or null.
public typealias Lossy<Value: LossyDecodable> = DecodedProperty<LossyRule<Value>>

/// An array, dictionary or set without the elements that do not decode, and empty if the key is missing or null.
///
///     struct Timeline: Codable {
///         @LossyEmpty var tags: [String]
///         @LossyEmpty var counts: [Int: Double]
///     }
///
/// The wrapper is `@Lossy` and `@DefaultEmpty` in one: a value that is not such a collection is an error.
public typealias LossyEmpty<Value: LossyDecodable & EmptyInitializable> = DecodedProperty<LossyEmptyRule<Value>>

/// The rule of `@Lossy`.
public enum LossyRule<Value: LossyDecodable>: InnerRule {
    /// Decodes the valid elements.
    public static func decode(from decoder: any Decoder) throws -> (value: Value, outcome: DecodingOutcome) {
        var errors: [any Error] = []
        let value = try Value.decodeLossily(from: decoder) { error in
            if errors.count < DecodingOutcome.maximumErrors { errors.append(error) }
        }
        return (value, errors.isEmpty ? .decoded : .incomplete(errors))
    }
}

/// The rule of `@LossyEmpty`.
public enum LossyEmptyRule<Value: LossyDecodable & EmptyInitializable>: DecodingRule {
    /// The empty collection.
    public static var standard: Value? { Value() }

    /// Decodes the valid elements.
    public static func decode(from decoder: any Decoder) throws -> (value: Value, outcome: DecodingOutcome) {
        try LossyRule<Value>.decode(from: decoder)
    }
}

extension LossyRule: EncodingRule where Value: Encodable {}
extension LossyEmptyRule: EncodingRule where Value: Encodable {}

/// A collection that can be decoded without its invalid elements: an array, a set, a dictionary whose keys are strings or
/// integers, or an optional of them.
public protocol LossyDecodable {
    /// Decodes the valid elements; notes the others in the decoder's `driftRecorder` and calls `onRemoval` with their
    /// errors.
    ///
    /// - Throws: `DecodingError` if the value is not such a collection.
    static func decodeLossily(from decoder: any Decoder, onRemoval: (any Error) -> Void) throws -> Self
}

extension LossyDecodable {
    /// Decodes the valid elements and notes the others in the decoder's `driftRecorder`.
    ///
    /// - Throws: `DecodingError` if the value is not such a collection.
    public static func decodeLossily(from decoder: any Decoder) throws -> Self {
        try decodeLossily(from: decoder) { _ in }
    }
}

extension Array: LossyDecodable where Element: Decodable {
    /// Decodes the valid elements, in order.
    public static func decodeLossily(from decoder: any Decoder, onRemoval: (any Error) -> Void) throws -> [Element] {
        var container = try decoder.unkeyedContainer()
        return try container.collectElements(.remove, onRemoval)
    }
}

extension Set: LossyDecodable where Element: Decodable {
    /// Decodes the valid elements.
    public static func decodeLossily(
        from decoder: any Decoder, onRemoval: (any Error) -> Void
    ) throws -> Set<Element> {
        Set(try [Element].decodeLossily(from: decoder, onRemoval: onRemoval))
    }
}

extension Dictionary: LossyDecodable where Key: FieldKey, Value: Decodable {
    /// Decodes the valid values whose keys have the type of the dictionary's; no strategy converts the keys.
    public static func decodeLossily(
        from decoder: any Decoder, onRemoval: (any Error) -> Void
    ) throws -> [Key: Value] {
        let attempts = try decoder.singleValueContainer().decode([String: ElementAttempt<Value>].self)
        let members = try attempts.resolved(by: .remove, onRemoval)
        if let members = members as? [Key: Value] { return members }
        var values: [Key: Value] = [:]
        for (name, value) in members {
            // "+1" and "01" would be the same key as "1".
            if let key = Key(name), key.description == name {
                values[key] = value
            } else {
                let path = decoder.codingPath + [RawCodingKey(name)]
                decoder.driftRecorder?.note(.dropped, at: path, .mistyped, lastIsElement: true)
                let description = "The key is not the text of a value of type \(Key.self)."
                onRemoval(
                    DecodingError.typeMismatch(
                        Key.self, DecodingError.Context(codingPath: path, debugDescription: description)))
            }
        }
        return values
    }
}

extension Optional: LossyDecodable where Wrapped: LossyDecodable {
    /// Decodes nil from null, and the valid elements otherwise.
    public static func decodeLossily(from decoder: any Decoder, onRemoval: (any Error) -> Void) throws -> Wrapped? {
        if try decoder.singleValueContainer().decodeNil() { return nil }
        return try Wrapped.decodeLossily(from: decoder, onRemoval: onRemoval)
    }
}
