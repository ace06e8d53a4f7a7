public import FoundationEssentials
import JSONText

/// Encodes any `Encodable` type as compact JSON, members in the order in which the type writes them.
///
/// It stands where Foundation's `JSONEncoder` stood: the same strategies, the same errors. An encoder is a value: encoding
/// changes nothing in it, and encodings that run at once share nothing.
///
///     var encoder = CompactEncoder()
///     encoder.keyEncodingStrategy = .convertToSnakeCase
///     let bytes = try encoder.encode(tweet)
///
/// Nested containers may be written to in any order. Where one container is given two values for one key, the last
/// one counts and stands where it was written.
public struct CompactEncoder: Sendable {
    /// How coding keys are spelled; as they are, unless set.
    ///
    ///     encoder.keyEncodingStrategy = .convertToSnakeCase
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
    /// How a `Date` is written; as `Date` itself does it, in seconds since 2001, unless set.
    ///
    ///     encoder.dateEncodingStrategy = .iso8601
    public var dateEncodingStrategy = DateEncodingStrategy.deferredToDate
    /// How `Data` is written; in base64, unless set.
    ///
    ///     encoder.dataEncodingStrategy = .deferredToData
    public var dataEncodingStrategy = DataEncodingStrategy.base64
    /// What becomes of NaN and the infinities, which JSON has no numbers for; they throw, unless set.
    ///
    ///     encoder.nonConformingFloatEncodingStrategy = .null
    public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
    /// What the encoded types may ask their encoder for.
    ///
    ///     if let key = CodingUserInfoKey(rawValue: "language") { encoder.userInfo[key] = "en" }
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// An encoder that spells the keys as they are.
    ///
    ///     try CompactEncoder().encode(["id": 7])  // {"id":7}
    public init() {}

    /// Encodes a value as the bytes of a JSON document.
    ///
    ///     let bytes = try encoder.encode(tweet)
    ///
    /// - Throws: `EncodingError`, or what the value throws.
    public func encode(_ value: some Encodable) throws -> [UInt8] { try EncodingState(self).document(value) }

    /// Encodes a value as a JSON document.
    ///
    ///     try encoder.encodeToData(tweet).write(to: file)
    ///
    /// - Throws: `EncodingError`, or what the value throws.
    public func encodeToData(_ value: some Encodable) throws -> Data { Data(try encode(value)) }
}
