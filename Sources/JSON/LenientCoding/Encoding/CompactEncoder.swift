#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Encodes any `Encodable` type as JSON, compact by default, with members in the order in which the type encodes them.
///
/// The encoder replaces Foundation's `JSONEncoder` and has the same strategies and errors. An encoder is a value and encoding
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

extension CompactEncoder {
    /// The format of the document, as in Foundation.
    ///
    /// Without `withoutEscapingSlashes`, which an encoder has by default, a slash is written as `\/`.
    ///
    ///     encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    public struct OutputFormatting: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt

        /// Creates the set of the options whose bits are set.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A line for each element and member, indented by two spaces per level.
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
        /// The members of each object sorted by their keys.
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        /// Slashes as they are.
        public static let withoutEscapingSlashes = OutputFormatting(rawValue: 8)
    }

    /// How coding keys are written.
    ///
    /// No strategy changes the keys of dictionaries.
    ///
    ///     encoder.keyEncodingStrategy = .convertToSnakeCase
    ///     encoder.keyEncodingStrategy = .custom { path in RawCodingKey(path.last?.stringValue.uppercased() ?? "") }
    public enum KeyEncodingStrategy: Sendable {
        /// Unchanged.
        case useDefaultKeys
        /// In snake_case, as in Foundation: `imageURL` as `image_url`.
        case convertToSnakeCase
        /// The closure converts the last key of `codingPath`.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How a `Date` is encoded.
    ///
    ///     encoder.dateEncodingStrategy = .iso8601  // "2016-03-28T14:39:13Z"
    ///     encoder.dateEncodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
    ///     encoder.dateEncodingStrategy = .custom { date, encoder in try UnixMilliseconds.encode(date, to: encoder) }
    public enum DateEncodingStrategy: Sendable {
        /// Seconds since 2001-01-01T00:00:00Z, as `Date` encodes itself.
        case deferredToDate
        /// Seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
        /// A string in ISO 8601, in UTC, with decimals if the second has a fraction; see `ISO8601`.
        case iso8601
        /// A string in a fixed format.
        case format(FixedDateFormat)
        /// The closure encodes the date.
        case custom(@Sendable (_ date: Date, _ encoder: any Encoder) throws -> Void)
    }

    /// How `Data` is encoded.
    ///
    ///     encoder.dataEncodingStrategy = .custom { data, encoder in
    ///         try String(decoding: data, as: UTF8.self).encode(to: encoder)
    ///     }
    public enum DataEncodingStrategy: Sendable {
        /// An array of bytes, as `Data` encodes itself.
        case deferredToData
        /// A string in base64, with padding (RFC 4648 section 4).
        case base64
        /// The closure encodes the data.
        case custom(@Sendable (_ data: Data, _ encoder: any Encoder) throws -> Void)
    }

    /// How NaN and the infinities are encoded.
    ///
    ///     encoder.nonConformingFloatEncodingStrategy = .null
    ///     try encoder.encode([1, .nan])  // [1,null]
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// An error, `EncodingError.invalidValue`.
        case `throw`
        /// `null`.
        case null
        /// One of three strings.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}
