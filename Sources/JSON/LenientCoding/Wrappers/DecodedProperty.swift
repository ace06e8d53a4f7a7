/// A property that a rule decodes: `@Coded`, `@Default`, `@Fallback`, `@Lossless`, `@Lossy` and `@LossyEmpty`.
///
/// Properties are equal if their values are, however these came about.
@propertyWrapper
public struct DecodedProperty<Rule: DecodingRule> {
    /// The value.
    public var wrappedValue: Rule.Value {
        didSet { outcome.value = .decoded }
    }
    /// How the value came about: `$count.error` is the error of a `@Fallback` that did not decode, and `$id` of a
    /// `@Lossless` string that was a number `.converted(.textOfNumber)`.
    ///
    /// For a value that was decoded by an inner wrapper, such as `@Lossy`, it is the outcome of that wrapper.
    public var projectedValue: DecodingOutcome { outcome.value.orInner(of: wrappedValue) }
    private var outcome = Uncompared(value: DecodingOutcome.decoded)

    /// Wraps a value.
    public init(wrappedValue: Rule.Value) { self.wrappedValue = wrappedValue }

    private init(_ value: Rule.Value, _ outcome: DecodingOutcome) {
        wrappedValue = value
        self.outcome.value = outcome
    }
}

/// How the values of a wrapper are decoded.
public protocol DecodingRule {
    /// The type of the property.
    associatedtype Value
    /// The value if the key is missing or null; nil for a rule without one, under which only an optional value is then nil.
    static var standard: Value? { get }
    /// Whether the standard value also stands for one that does not decode.
    static var toleratesInvalid: Bool { get }
    /// Decodes a value, with how it came about.
    static func decode(from decoder: any Decoder) throws -> (value: Value, outcome: DecodingOutcome)
}

extension DecodingRule {
    /// Nil: there is no standard value.
    public static var standard: Value? { nil }
    /// False: an invalid value is an error.
    public static var toleratesInvalid: Bool { false }
}

extension DecodingRule where Value: Decodable {
    /// Decodes the value as its type does.
    public static func decode(from decoder: any Decoder) throws -> (value: Value, outcome: DecodingOutcome) {
        (try decoder.decodeDeclared(Value.self), .decoded)
    }
}

/// How the values of a wrapper are encoded.
public protocol EncodingRule: DecodingRule {
    /// Encodes a value.
    static func encode(_ value: Value, to encoder: any Encoder) throws
}

extension EncodingRule where Value: Encodable {
    /// Encodes the value in its own type.
    public static func encode(_ value: Value, to encoder: any Encoder) throws { try encoder.encodeSingle(value) }
}

/// A rule of a wrapper inside of another one: `@FallbackFalse @Lossless`, `@DefaultEmpty @Lossy`.
public protocol InnerRule: DecodingRule {}

extension DecodedProperty: KeyedDecodable, Decodable {
    /// Decodes the value by the rule; null becomes the standard value.
    public init(from decoder: any Decoder) throws {
        do {
            if let standard = Rule.standard, try decoder.singleValueContainer().decodeNil() {
                self.init(standard, .absent)
            } else {
                let (value, outcome) = try Rule.decode(from: decoder)
                self.init(value, outcome)
            }
        } catch {
            guard Rule.toleratesInvalid, let standard = Rule.standard else { throw error }
            self.init(standard, .invalid(error))
            let path = decoder.codingPath
            decoder.driftRecorder?.note(.defaulted, at: path, .of(error, at: path))
        }
    }

    /// Decodes the value by the rule; it is the standard value, or nil, if the key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        guard let standard = Rule.standard else {
            self = try container.decodeWrapper(forKey: key) { Self($0, $1) }
            return
        }
        do {
            self = try container.isPresent(key) ? container.decodeValue(forKey: key) : Self(standard, .absent)
        } catch  where Rule.toleratesInvalid {
            // Some decoders throw before they call init(from:).
            self.init(standard, .invalid(error))
        }
    }
}

extension DecodedProperty: KeyedEncodable, Encodable where Rule: EncodingRule {
    /// Whether the value is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the value by the rule.
    public func encode(to encoder: any Encoder) throws { try Rule.encode(wrappedValue, to: encoder) }
}

extension DecodedProperty: Equatable where Rule.Value: Equatable {}
extension DecodedProperty: Hashable where Rule.Value: Hashable {}
extension DecodedProperty: Sendable where Rule.Value: Sendable {}
extension DecodedProperty: OutcomeReporting {}

/// A Boolean that is false or true by default.
///
///     struct User: Codable {
///         @FallbackFalse @Lossless var isVerified: Bool  // 1 and "true" are true, "maybe" is false
///     }
extension DecodedProperty: ExpressibleByBooleanLiteral where Rule: InnerRule, Rule.Value: ExpressibleByBooleanLiteral {
    /// Wraps the value of the literal.
    public init(booleanLiteral value: Rule.Value.BooleanLiteralType) {
        self.init(wrappedValue: Rule.Value(booleanLiteral: value))
    }
}

/// A collection that is empty by default.
///
///     struct Timeline: Codable {
///         @FallbackEmpty @Lossy var tags: [String]  // empty if the key is missing or the value is no array
///     }
extension DecodedProperty: EmptyInitializable where Rule: InnerRule, Rule.Value: EmptyInitializable {
    /// Wraps an empty collection.
    public init() { self.init(wrappedValue: Rule.Value()) }
}

/// An array whose elements are converted if nothing is lost, and removed otherwise.
///
///     struct User: Codable {
///         @Lossy @Lossless var friends: [Int]  // [1,"2",null,"x"] becomes [1, 2]
///     }
extension DecodedProperty: LossyDecodable
where Rule: InnerRule, Rule.Value: RangeReplaceableCollection, Rule.Value.Element: LosslessValue {
    /// Decodes the elements that convert, in order.
    public static func decodeLossily(from decoder: any Decoder, onRemoval: (any Error) -> Void) throws -> Self {
        let elements = try [Lossless<Rule.Value.Element>].decodeLossily(from: decoder, onRemoval: onRemoval)
        return Self(wrappedValue: Rule.Value(elements.lazy.map(\.wrappedValue)))
    }
}
