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
@propertyWrapper
public struct Lossy<Value: LossyDecodable> {
    /// The elements that decoded.
    public var wrappedValue: Value {
        didSet { outcome.value = .decoded }
    }
    /// How the collection came about: `$tweets.errors` are the errors of the elements that were removed.
    public var projectedValue: DecodingOutcome { outcome.value }
    private var outcome = Uncompared(value: DecodingOutcome.decoded)

    /// Wraps a collection.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    private init(_ value: Value, _ outcome: DecodingOutcome) {
        wrappedValue = value
        self.outcome.value = outcome
    }
}

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

    /// Decodes the valid elements, with what became of the others.
    static func decodeWithOutcome(from decoder: any Decoder) throws -> (value: Self, outcome: DecodingOutcome) {
        var errors: [any Error] = []
        let value = try decodeLossily(from: decoder) { error in
            if errors.count < DecodingOutcome.maximumErrors { errors.append(error) }
        }
        return (value, errors.isEmpty ? .decoded : .incomplete(errors))
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

extension Lossy: KeyedDecodable, Decodable {
    /// Decodes the valid elements.
    public init(from decoder: any Decoder) throws {
        let (value, outcome) = try Value.decodeWithOutcome(from: decoder)
        self.init(value, outcome)
    }

    /// Decodes the valid elements; an optional collection is nil if the key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        self = try container.decodeWrapper(forKey: key) { Self($0, $1) }
    }
}

extension Lossy: KeyedEncodable, Encodable where Value: Encodable {
    /// Whether the collection is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the collection.
    public func encode(to encoder: any Encoder) throws { try encoder.encodeSingle(wrappedValue) }
}

extension Lossy: Equatable where Value: Equatable {}
extension Lossy: Hashable where Value: Hashable {}
extension Lossy: Sendable where Value: Sendable {}
extension Lossy: OutcomeReporting {}

/// A lossy collection that is empty by default.
///
///     struct Timeline: Codable {
///         @FallbackEmpty @Lossy var tags: [String]  // empty if the key is missing or the value is no array
///     }
extension Lossy: EmptyInitializable where Value: EmptyInitializable {
    /// Wraps an empty collection.
    public init() { self.init(wrappedValue: Value()) }
}

/// An array, dictionary or set without the elements that do not decode, and empty if the key is missing or null.
///
///     struct Timeline: Codable {
///         @LossyEmpty var tags: [String]
///         @LossyEmpty var counts: [Int: Double]
///     }
///
/// It is `@Lossy` and `@DefaultEmpty` in one: a value that is not such a collection is an error.
@propertyWrapper
public struct LossyEmpty<Value: LossyDecodable & EmptyInitializable> {
    /// The elements that decoded.
    public var wrappedValue: Value {
        didSet { outcome.value = .decoded }
    }
    /// How the collection came about: `$tags.errors` are the errors of the elements that were removed.
    public var projectedValue: DecodingOutcome { outcome.value }
    private var outcome = Uncompared(value: DecodingOutcome.decoded)

    /// Wraps a collection.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    private init(_ value: Value, _ outcome: DecodingOutcome) {
        wrappedValue = value
        self.outcome.value = outcome
    }
}

extension LossyEmpty: KeyedDecodable, Decodable {
    /// Decodes the valid elements; null becomes the empty collection.
    public init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decodeNil() {
            self.init(Value(), .absent)
        } else {
            let (value, outcome) = try Value.decodeWithOutcome(from: decoder)
            self.init(value, outcome)
        }
    }

    /// Decodes the valid elements; the collection is empty if the key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        self = try container.isPresent(key) ? container.decodeValue(forKey: key) : Self(Value(), .absent)
    }
}

extension LossyEmpty: Encodable where Value: Encodable {
    /// Encodes the collection.
    public func encode(to encoder: any Encoder) throws { try encoder.encodeSingle(wrappedValue) }
}

extension LossyEmpty: Equatable where Value: Equatable {}
extension LossyEmpty: Hashable where Value: Hashable {}
extension LossyEmpty: Sendable where Value: Sendable {}
extension LossyEmpty: OutcomeReporting {}
