#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Encodes any `Encodable` type as JSON, compact by default, with members in the order in which the type encodes them.
///
/// It replaces Foundation's `JSONEncoder` and has the same strategies and errors. An encoder is a value and encoding
/// does not change it, so several threads may use one.
///
///     var encoder = CompactEncoder()
///     encoder.keyEncodingStrategy = .convertToSnakeCase
///     let bytes = try encoder.encode(tweet)
///
/// Nested containers may be used in any order. If a key is encoded twice into an object, the last value counts, at its
/// own place in the order.
public struct CompactEncoder: Sendable {
    /// The format of the document; compact and with unescaped slashes by default.
    public var outputFormatting = OutputFormatting.withoutEscapingSlashes
    /// How coding keys are written; unchanged by default.
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
    /// How a `Date` is encoded; as seconds since 2001 by default.
    public var dateEncodingStrategy = DateEncodingStrategy.deferredToDate
    /// How `Data` is encoded; in base64 by default.
    public var dataEncodingStrategy = DataEncodingStrategy.base64
    /// How NaN and the infinities, which JSON cannot represent, are encoded; they are an error by default.
    public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
    /// The user info for the encoded types.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates an encoder with the default strategies.
    public init() {}

    /// Creates an encoder and lets `configure` set its properties, so that the encoder can be a constant.
    ///
    ///     let encoder = CompactEncoder { $0.dateEncodingStrategy = .secondsSince1970 }
    public init(configure: (_ encoder: inout CompactEncoder) throws -> Void) rethrows { try configure(&self) }

    /// Encodes a value as the bytes of a JSON document.
    ///
    /// - Throws: `EncodingError`, or an error of the encoded type.
    public func encode(_ value: some Encodable) throws -> [UInt8] { try EncodingState(self).document(value) }

    /// Encodes a value as a JSON document, where the context asks for `Data`.
    ///
    ///     let data: Data = try encoder.encode(tweet)
    ///
    /// - Throws: `EncodingError`, or an error of the encoded type.
    @_disfavoredOverload
    public func encode(_ value: some Encodable) throws -> Data { Data(try encode(value) as [UInt8]) }

    /// Encodes a value as a JSON document.
    ///
    /// - Throws: `EncodingError`, or an error of the encoded type.
    public func encodeToData(_ value: some Encodable) throws -> Data { try encode(value) }
}
