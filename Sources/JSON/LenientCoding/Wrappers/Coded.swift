#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A property that a `CodingStrategy` decodes and encodes.
///
///     struct Tweet: Codable {
///         @Coded<TwitterDate> var createdAt: Date
///         @Coded<UnixMilliseconds?> var editedAt: Date?
///     }
///
/// A strategy with a question mark is for an optional value, which is nil if the key is missing or null.
public typealias Coded<Strategy: CodingStrategy> = DecodedProperty<CodedRule<Strategy>>

/// The rule of `@Coded`.
public enum CodedRule<Strategy: CodingStrategy>: EncodingRule {
    /// Decodes the value with the strategy.
    public static func decode(from decoder: any Decoder) throws -> (value: Strategy.Value, outcome: DecodingOutcome) {
        (try Strategy.decode(from: decoder), .decoded)
    }

    /// Encodes the value with the strategy.
    public static func encode(_ value: Strategy.Value, to encoder: any Encoder) throws {
        try Strategy.encode(value, to: encoder)
    }
}

/// Bytes as a string in base64, with padding (RFC 4648 section 4), whatever the strategy of the decoder.
///
///     struct Photo: Codable {
///         @Coded<Base64> var thumbnail: Data
///         @Coded<Base64?> var signature: Data?
///     }
public enum Base64: CodingStrategy {
    /// Decodes bytes from a string.
    ///
    /// - Throws: `DecodingError` if the value is not a string in base64.
    public static func decode(from decoder: any Decoder) throws -> Data {
        try decoder.decodeText(expecting: "bytes in base64") { Data(base64Encoded: $0) }
    }

    /// Encodes the bytes as a string.
    public static func encode(_ value: Data, to encoder: any Encoder) throws {
        try encoder.encodeText(of: value, value.base64EncodedString())
    }
}

/// Bytes as a string in base64, as ``Base64`` reads and writes it, in an array.
///
///     struct Photo: Codable { @Coded<Base64Bytes> var thumbnail: [UInt8] }
public enum Base64Bytes: CodingStrategy {
    /// Decodes bytes from a string.
    ///
    /// - Throws: `DecodingError` if the value is not a string in base64.
    public static func decode(from decoder: any Decoder) throws -> [UInt8] { [UInt8](try Base64.decode(from: decoder)) }

    /// Encodes the bytes as a string.
    public static func encode(_ value: [UInt8], to encoder: any Encoder) throws {
        try Base64.encode(Data(value), to: encoder)
    }
}
