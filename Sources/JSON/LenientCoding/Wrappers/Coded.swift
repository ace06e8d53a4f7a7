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
@propertyWrapper
public struct Coded<Strategy: CodingStrategy> {
    /// The value.
    public var wrappedValue: Strategy.Value

    /// Wraps a value.
    public init(wrappedValue: Strategy.Value) { self.wrappedValue = wrappedValue }
}

extension Coded: KeyedDecodable, Decodable {
    /// Decodes the value with the strategy.
    public init(from decoder: any Decoder) throws { wrappedValue = try Strategy.decode(from: decoder) }

    /// Decodes the value with the strategy; an optional value is nil if the key is missing or null.
    public init<Key>(from container: KeyedDecodingContainer<Key>, forKey key: Key) throws {
        self = try container.decodeWrapper(forKey: key) { Self(wrappedValue: $0) }
    }
}

extension Coded: KeyedEncodable, Encodable {
    /// Whether the value is nil.
    public var isLeftOut: Bool { isAbsent(wrappedValue) }

    /// Encodes the value with the strategy.
    public func encode(to encoder: any Encoder) throws { try Strategy.encode(wrappedValue, to: encoder) }
}

extension Coded: Equatable where Strategy.Value: Equatable {}
extension Coded: Hashable where Strategy.Value: Hashable {}
extension Coded: Sendable where Strategy.Value: Sendable {}

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
