/// A way to decode and encode values of a type, such as a `Date` as seconds or as text in a given format.
///
/// `@Coded` applies a strategy to a property. A strategy is a type without instances, such as an enumeration without
/// cases.
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
    /// The type of the values.
    associatedtype Value

    /// Decodes a value.
    ///
    ///     decoder.dateDecodingStrategy = .custom { decoder in try UnixMilliseconds.decode(from: decoder) }
    static func decode(from decoder: any Decoder) throws -> Value

    /// Encodes a value.
    ///
    ///     encoder.dateEncodingStrategy = .custom { date, encoder in try UnixMilliseconds.encode(date, to: encoder) }
    static func encode(_ value: Value, to encoder: any Encoder) throws
}

/// The strategy for optional values: `null` is nil, and the wrapped strategy decodes and encodes all other values.
extension Optional: CodingStrategy where Wrapped: CodingStrategy {
    /// Decodes nil from `null`, and other values with the wrapped strategy.
    public static func decode(from decoder: any Decoder) throws -> Wrapped.Value? {
        try decoder.singleValueContainer().decodeNil() ? nil : Wrapped.decode(from: decoder)
    }

    /// Encodes nil as `null`, and other values with the wrapped strategy.
    public static func encode(_ value: Wrapped.Value?, to encoder: any Encoder) throws {
        if let value { return try Wrapped.encode(value, to: encoder) }
        var container = encoder.singleValueContainer()
        try container.encodeNil()
    }
}
