/// A number, a string or a Boolean that may arrive as one of the others, where nothing is lost by converting it.
///
///     struct User: Codable {
///         @Lossless var id: String         // 12345678901234567890 and "12345678901234567890"
///         @Lossless var age: Int           // 12, "12" and 12.0; never 12.5
///         @Lossless var isVerified: Bool   // true, "true", 1 and "1"; never 2
///         @Lossless var rating: Double?
///     }
///
/// A string gets a number's text as it stands in the document under `LenientDecoder`; other decoders tell integers of
/// up to 38 digits. Conversions are noted in the decoder's `driftRecorder`. An optional value is nil when its key is
/// missing or null. Written is the value as what it is.
@propertyWrapper
public struct Lossless<Value: LosslessValue> {
    /// The value.
    ///
    ///     Lossless(wrappedValue: 7).wrappedValue  // 7
    public var wrappedValue: Value

    /// A wrapper of `wrappedValue`.
    ///
    ///     struct User: Codable { @Lossless var age: Int = 0 }
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

extension Lossless: KeyedDecodable, Decodable {
    /// Decodes the value from whatever spells it.
    ///
    /// - Throws: `DecodingError` when the value spells none, or when something would be lost.
    public init(from decoder: any Decoder) throws {
        guard let scalar = try JSONScalar(from: decoder) else {
            throw DecodingError.typeMismatch(
                Value.self,
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: "Expected a number, a string or a Boolean."))
        }
        if case .null = scalar, let absent: Value = absentValue(of: Value.self) {
            wrappedValue = absent
            return
        }
        let json = JSONValue.leaf(scalar)
        guard let value = Value.lossless(from: json) else {
            throw DecodingError.typeMismatch(
                Value.self,
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "Expected a \(Value.self), found \(json.kindName) that is none."))
        }
        wrappedValue = value
        guard let recorder = decoder.driftRecorder, let reason = Value.conversion(from: json) else { return }
        recorder.note(.coerced, at: decoder.codingPath, reason)
    }

    /// Decodes the value from whatever spells it; nil for an optional value whose key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        if let decoded: Self = try container.decodeWrapped(Value.self, forKey: key) {
            self = decoded
        } else if let absent = absentValue(of: Value.self) {
            self.init(wrappedValue: absent)
        } else {
            self = try container.decodeValue(forKey: key)
        }
    }
}

extension Lossless: KeyedEncodable, Encodable {
    /// Whether the value is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the value as what it is.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}

extension Lossless: Equatable where Value: Equatable {}
extension Lossless: Hashable where Value: Hashable {}
extension Lossless: Sendable where Value: Sendable {}
