/// A number, string or Boolean that is also decoded from the other two types if nothing is lost.
///
///     struct User: Codable {
///         @Lossless var id: String         // 12345678901234567890 and "12345678901234567890"
///         @Lossless var age: Int           // 12, "12" and 12.0; never 12.5
///         @Lossless var isVerified: Bool   // true, "true", 1 and "1"; never 2
///         @Lossless var rating: Double?
///         @Lossless var friends: [String]  // [1, "2"]
///     }
///
/// A string that is decoded from a number is the number's text in the document; decoders other than `LenientDecoder`
/// keep up to 38 digits of an integer. The decoder's `driftRecorder` notes conversions. An optional value is nil if its
/// key is missing or null.
@propertyWrapper
public struct Lossless<Value: LosslessValue> {
    /// The value.
    public var wrappedValue: Value {
        didSet { outcome.value = .decoded }
    }
    /// How the value came about: `$id` is `.converted(.textOfNumber)` for a string that was a number.
    public var projectedValue: DecodingOutcome { outcome.value }
    private var outcome = Uncompared(value: DecodingOutcome.decoded)

    /// Wraps a value.
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    private init(_ value: Value, _ outcome: DecodingOutcome) {
        wrappedValue = value
        self.outcome.value = outcome
    }
}

extension Lossless: KeyedDecodable, Decodable {
    /// Decodes the value from a number, string or Boolean, or an array from several.
    ///
    /// - Throws: `DecodingError` for other values, and if the conversion would lose something.
    public init(from decoder: any Decoder) throws {
        var conversion: DriftReport.Reason?
        let value = try Value.decodeLosslessly(from: decoder) { conversion = conversion ?? $0 }
        self.init(value, conversion.map(DecodingOutcome.converted) ?? .decoded)
    }

    /// Decodes the value; an optional value is nil if the key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        self = try container.decodeWrapper(forKey: key) { Self($0, $1) }
    }
}

extension LosslessValue {
    /// Decodes the value from a number, string or Boolean.
    ///
    /// - Throws: `DecodingError` for other values, and if the conversion would lose something.
    public static func decodeLosslessly(
        from decoder: any Decoder, onConversion: (DriftReport.Reason) -> Void
    ) throws -> Self {
        guard let json = try JSONValue(scalarFrom: decoder) else {
            throw DecodingError.typeMismatch(
                Self.self,
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "Expected a number, a string or a Boolean."))
        }
        guard let value = lossless(from: json) else {
            let found = decoder.quote(json) ?? json.kindName
            throw DecodingError.typeMismatch(
                Self.self,
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "Expected \(Self.self), found \(found) that does not convert to it."))
        }
        if let reason = conversion(from: json) {
            onConversion(reason)
            decoder.driftRecorder?.note(.coerced, at: decoder.codingPath, reason)
        }
        return value
    }
}

extension Lossless: KeyedEncodable, Encodable {
    /// Whether the value is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the value in its own type.
    public func encode(to encoder: any Encoder) throws { try encoder.encodeSingle(wrappedValue) }
}

extension Lossless: Equatable where Value: Equatable {}
extension Lossless: Hashable where Value: Hashable {}
extension Lossless: Sendable where Value: Sendable {}
extension Lossless: OutcomeReporting {}

/// A lossless Boolean that is false or true by default.
///
///     struct User: Codable {
///         @FallbackFalse @Lossless var isVerified: Bool  // 1 and "true" are true, "maybe" is false
///     }
extension Lossless: ExpressibleByBooleanLiteral where Value: ExpressibleByBooleanLiteral {
    /// Wraps the value of the literal.
    public init(booleanLiteral value: Value.BooleanLiteralType) {
        self.init(wrappedValue: Value(booleanLiteral: value))
    }
}

/// A lossless array or string that is empty by default: `@DefaultEmpty @Lossless var ids: [String]`.
extension Lossless: EmptyInitializable where Value: EmptyInitializable {
    /// Wraps an empty value.
    public init() { self.init(wrappedValue: Value()) }
}

/// An array whose elements are converted if nothing is lost, and removed otherwise.
///
///     struct User: Codable {
///         @Lossy @Lossless var friends: [Int]  // [1,"2",null,"x"] becomes [1, 2]
///     }
extension Lossless: LossyDecodable where Value: RangeReplaceableCollection, Value.Element: LosslessValue {
    /// Decodes the elements that convert, in order.
    public static func decodeLossily(from decoder: any Decoder, onRemoval: (any Error) -> Void) throws -> Self {
        let elements = try [Lossless<Value.Element>].decodeLossily(from: decoder, onRemoval: onRemoval)
        return Self(wrappedValue: Value(elements.lazy.map(\.wrappedValue)))
    }
}
