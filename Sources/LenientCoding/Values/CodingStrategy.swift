/// How a value is spelled in a document, apart from what it is: a `Date` as seconds, as text, in a format of its own.
///
/// `@Coded` applies a strategy to a property. A strategy is a type, not a value; an enumeration without cases does.
///
///     enum Percent: CodingStrategy {
///         static func decode(from decoder: any Decoder) throws -> Double {
///             try decoder.singleValueContainer().decode(Double.self) / 100
///         }
///         static func encode(_ value: Double, to encoder: any Encoder) throws {
///             var container = encoder.singleValueContainer()
///             try container.encode(value * 100)
///         }
///     }
///     struct Sky: Codable {
///         @Coded<Percent> var cloudCover: Double
///         @Coded<Percent?> var humidity: Double?
///     }
public protocol CodingStrategy {
    /// What is read and written.
    ///
    ///     let date: ISO8601.Value = Date()
    associatedtype Value

    /// Reads the value that `decoder` stands at.
    ///
    ///     decoder.dateDecodingStrategy = .custom { decoder in try UnixMilliseconds.decode(from: decoder) }
    static func decode(from decoder: any Decoder) throws -> Value

    /// Writes `value` as the one value of `encoder`.
    ///
    ///     encoder.dateEncodingStrategy = .custom { date, encoder in try UnixMilliseconds.encode(date, to: encoder) }
    static func encode(_ value: Value, to encoder: any Encoder) throws
}

/// The strategy for an optional value: `null` is nil, everything else is the strategy's own.
extension Optional: CodingStrategy where Wrapped: CodingStrategy {
    /// Reads nil from `null`, else what the strategy reads.
    public static func decode(from decoder: any Decoder) throws -> Wrapped.Value? {
        try decoder.singleValueContainer().decodeNil() ? nil : Wrapped.decode(from: decoder)
    }

    /// Writes `null` for nil, else what the strategy writes.
    public static func encode(_ value: Wrapped.Value?, to encoder: any Encoder) throws {
        if let value { return try Wrapped.encode(value, to: encoder) }
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}
