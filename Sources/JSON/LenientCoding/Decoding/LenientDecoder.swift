// Unsafe: passes the bytes of a document as a buffer to the parser, for the duration of a call.
// Users import LenientCoding alone: records, drift reports and `FixedDateFormat` are part of its interface.
@_exported public import CivilDates
public import JSONText
@_exported public import Records

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes any `Decodable` type from JSON and repairs the defects of the document that it is asked to.
///
/// The decoder replaces Foundation's `JSONDecoder` and has the same strategies and errors. Without ``leniency``, which is the
/// default, it accepts, refuses and reads the same; `docs/library.md` lists the few differences. A `DriftReport` lists
/// the repairs. A decoder is a value and decoding does not change it, so several threads may use one.
///
///     var decoder = LenientDecoder(leniency: .all)
///     decoder.keyDecodingStrategy = .convertFromSnakeCase
///     var drift = DriftReport()
///     let tweet = try decoder.decode(Tweet.self, from: bytes, drift: &drift)
///
/// If a key occurs more than once in an object, the first member counts, as with `JSONDecoder`.
public struct LenientDecoder: Sendable {
    /// How coding keys match members; exactly by default.
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
    /// How a `Date` is decoded; from seconds since 2001 by default.
    public var dateDecodingStrategy = DateDecodingStrategy.deferredToDate
    /// How `Data` is decoded; from base64 by default.
    public var dataDecodingStrategy = DataDecodingStrategy.base64
    /// How infinities and NaN are decoded; not at all by default.
    public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw
    /// What is repaired; nothing by default.
    public var leniency: Leniency
    /// The limits of the parser, and the syntax that it accepts beyond RFC 8259; by default that of `JSONDecoder`.
    ///
    ///     decoder.jsonOptions.leniency = []  // RFC 8259 only
    public var jsonOptions = JSONOptions(leniency: .foundation)
    /// The user info for the decoded types.
    ///
    /// If it has no `driftRecorder`, the report of the decode includes the repairs of wrappers and container calls.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the default strategies.
    ///
    ///     let decoder = LenientDecoder(leniency: [.coercion, .mistypedOptionals])
    public init(leniency: Leniency = []) { self.leniency = leniency }

    /// Creates a decoder and lets `configure` set its properties, so that the decoder can be a constant.
    ///
    ///     let decoder = LenientDecoder(leniency: .all) { $0.keyDecodingStrategy = .convertFromSnakeCase }
    public init(leniency: Leniency = [], configure: (_ decoder: inout LenientDecoder) throws -> Void) rethrows {
        self.init(leniency: leniency)
        try configure(&self)
    }

    /// Decodes a value from the bytes of a JSON document.
    ///
    /// - Throws: `DecodingError`, or an error of the decoded type. If the document is not JSON, the error is
    ///   `.dataCorrupted` with a `JSONSyntaxError` as its underlying error.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try bytes.withUnsafeBufferPointer { try decode(from: $0) { try $0.decodeDeclared(type) } }
    }

    /// Decodes a value from a JSON document.
    ///
    /// - Throws: `DecodingError`, or an error of the decoded type. If the document is not JSON, the error is
    ///   `.dataCorrupted` with a `JSONSyntaxError` as its underlying error.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try data.withBytes { try decode(from: $0) { try $0.decodeDeclared(type) } }
    }

    /// Decodes a value and reports the repairs.
    ///
    /// Replaces `drift` by the report of this document, also if decoding fails. It includes members that no coding key
    /// matches, as `unexpectedKey`; decoding without a report is faster because it does not search for them.
    ///
    ///     var drift = DriftReport()
    ///     let tweets = try decoder.decode([Tweet].self, from: bytes, drift: &drift)
    ///     print(drift.summary)  // dropped=1, coerced=3
    ///
    /// - Throws: `DecodingError`, or an error of the decoded type. If the document is not JSON, the error is
    ///   `.dataCorrupted` with a `JSONSyntaxError` as its underlying error.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8], drift: inout DriftReport
    ) throws -> Value {
        drift = DriftReport()
        return try bytes.withUnsafeBufferPointer { bytes in
            try decode(from: bytes, reports: true, to: { drift = $0 }) { try $0.decodeDeclared(type) }
        }
    }

    /// Decodes a value and reports the repairs, as the function for an array of bytes does.
    ///
    /// - Throws: `DecodingError`, or an error of the decoded type. If the document is not JSON, the error is
    ///   `.dataCorrupted` with a `JSONSyntaxError` as its underlying error.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, drift: inout DriftReport
    ) throws -> Value {
        drift = DriftReport()
        return try data.withBytes { bytes in
            try decode(from: bytes, reports: true, to: { drift = $0 }) { try $0.decodeDeclared(type) }
        }
    }

    /// Decodes a value of a type that needs a configuration.
    ///
    ///     struct Price: DecodableWithConfiguration {
    ///         var text: String
    ///         init(from decoder: any Decoder, configuration currency: String) throws {
    ///             text = "\(try Double(from: decoder)) \(currency)"
    ///         }
    ///     }
    ///     let price = try decoder.decode(Price.self, from: data, configuration: "EUR")
    ///
    /// - Throws: `DecodingError`, or an error of the decoded type. If the document is not JSON, the error is
    ///   `.dataCorrupted` with a `JSONSyntaxError` as its underlying error.
    public func decode<Value: DecodableWithConfiguration>(
        _ type: Value.Type, from data: Data, configuration: Value.DecodingConfiguration
    ) throws -> Value {
        try data.withBytes { try decode(from: $0) { try Value(from: $0, configuration: configuration) } }
    }

    /// Decodes a value of a type that needs a configuration, which another type provides.
    ///
    /// - Throws: `DecodingError`, or an error of the decoded type. If the document is not JSON, the error is
    ///   `.dataCorrupted` with a `JSONSyntaxError` as its underlying error.
    public func decode<Value: DecodableWithConfiguration, Provider: DecodingConfigurationProviding>(
        _ type: Value.Type, from data: Data, configuration: Provider.Type
    ) throws -> Value where Provider.DecodingConfiguration == Value.DecodingConfiguration {
        try decode(type, from: data, configuration: Provider.decodingConfiguration)
    }

    private func decode<Value>(
        from bytes: UnsafeBufferPointer<UInt8>, reports: Bool = false, to take: (DriftReport) -> Void = { _ in },
        _ read: (ValueDecoder) throws -> Value
    ) throws -> Value {
        var parser = JSONParser(options: jsonOptions)
        do {
            return try parser.withDocument(bytes) { root in
                let state = DecodingState(root, self, reportsUnknownMembers: reports)
                defer {
                    if reports { take(state.repairs.report) }
                    state.end()
                }
                return try read(ValueDecoder(state, at: root.position, .root, of: nil))
            }
        } catch let error as JSONSyntaxError {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [], debugDescription: "The document is not valid JSON: \(error)",
                    underlyingError: error))
        }
    }
}

extension Data {
    /// Passes the bytes to `body`, without a copy: that of a document of 8 MiB takes ten times as long as reading it.
    fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withUnsafeBytes { try $0.withMemoryRebound(to: UInt8.self, body) }
    }
}

extension LenientDecoder {
    /// How coding keys match the members of an object.
    ///
    /// No strategy changes the keys of dictionaries.
    ///
    ///     decoder.keyDecodingStrategy = .convertFromSnakeCase  // retweetCount is "retweet_count"
    ///     decoder.keyDecodingStrategy = .custom { path in RawCodingKey(path.last?.stringValue.lowercased() ?? "") }
    public enum KeyDecodingStrategy: Sendable {
        /// A coding key matches the member with the same name.
        case useDefaultKeys
        /// A coding key in camelCase matches a member in snake_case.
        ///
        /// A key matches the member that Foundation converts to it (`id_str` for `idStr`, but not `image_url` for
        /// `imageURL`). More members match with ``Leniency/similarKeys``.
        case convertFromSnakeCase
        /// The closure converts the name of a member, the last key of `codingPath`, to the coding key that matches it.
        case custom(@Sendable (_ codingPath: [any CodingKey]) -> any CodingKey)
    }

    /// How a `Date` is decoded.
    ///
    ///     decoder.dateDecodingStrategy = .format("EEE MMM dd HH:mm:ss Z yyyy")
    ///     decoder.dateDecodingStrategy = .custom { decoder in try ISO8601.decode(from: decoder) }
    public enum DateDecodingStrategy: Sendable {
        /// Seconds since 2001-01-01T00:00:00Z, as `Date` decodes itself.
        case deferredToDate
        /// Seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
        /// A string in ISO 8601 with a time and a zone, as Foundation reads it; with ``Leniency/dateForms`` also the
        /// other forms of `ISO8601`.
        case iso8601
        /// A string in a fixed format.
        case format(FixedDateFormat)
        /// The closure decodes the date.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Date)
    }

    /// How `Data` is decoded.
    ///
    ///     decoder.dataDecodingStrategy = .custom { decoder in
    ///         Data(try decoder.singleValueContainer().decode(String.self).utf8)
    ///     }
    public enum DataDecodingStrategy: Sendable {
        /// An array of bytes, as `Data` decodes itself.
        case deferredToData
        /// A string in base64, with padding and without white space (RFC 4648 section 4).
        case base64
        /// The closure decodes the data.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// How infinities and NaN, which JSON does not have, are decoded.
    ///
    ///     decoder.nonConformingFloatDecodingStrategy = .convertFromString(
    ///         positiveInfinity: "+inf", negativeInfinity: "-inf", nan: "nan")
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// Not at all.
        case `throw`
        /// From these strings.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The repairs of a decoder.
    ///
    /// Without repairs, it accepts and refuses the same documents as Foundation's `JSONDecoder`.
    ///
    ///     decoder.leniency = []         // as strict as JSONDecoder
    ///     decoder.leniency = .coercion  // converts "7" to a number; invalid optional values are errors
    public struct Leniency: OptionSet, Sendable {
        /// The repairs as bits.
        public let rawValue: UInt8

        /// Creates the set of the repairs whose bits are set.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Converts members and elements that are scalars of another type than the model declares, if nothing is lost.
        ///
        /// A string may contain a number; a number may become a string; 0, 1, "0", "1", "true" and "false" may become a
        /// Boolean. A value that is decoded through a single value container keeps its type, and so does one that was
        /// requested in vain as another type. Still, do not use this for models that try several types for one key: the
        /// first type to which the value converts wins.
        ///
        ///     decoder.leniency = .coercion
        ///     try decoder.decode([Int].self, from: Array(#"[1,"2",3.0]"#.utf8))  // [1, 2, 3]
        public static let coercion = Leniency(rawValue: 1)
        /// Decodes an optional value as nil if it does not decode, whatever the error.
        ///
        ///     struct Tweet: Codable { var lang: String? }
        ///     decoder.leniency = .mistypedOptionals
        ///     try decoder.decode(Tweet.self, from: Array(#"{"lang":[]}"#.utf8)).lang  // nil
        public static let mistypedOptionals = Leniency(rawValue: 2)
        /// Matches coding keys of ``KeyDecodingStrategy/convertFromSnakeCase`` to more members.
        ///
        /// A key matches, in this order: the member of the same name (`id_str` for `id_str`); the member that Foundation
        /// converts to the key (`id_str` for `idStr`); the first member that has the same letters and digits in any case
        /// (`image_url` for `imageURL`, `address_1` for `address1`).
        public static let similarKeys = Leniency(rawValue: 4)
        /// Reads all forms of dates in `ISO8601` with ``DateDecodingStrategy/iso8601``, such as `2016-03-28` and
        /// `2016-03-28 14:39:13`.
        public static let dateForms = Leniency(rawValue: 8)
        /// Reads an escaped half of a surrogate pair, such as `\ud800`, as U+FFFD.
        public static let loneSurrogates = Leniency(rawValue: 16)
        /// All repairs.
        public static let all: Leniency = [.coercion, .mistypedOptionals, .similarKeys, .dateForms, .loneSurrogates]
    }
}
