#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import JSONText

/// Decodes any `Decodable` type from JSON and repairs the defects of the document that it is asked to.
///
/// It replaces Foundation's `JSONDecoder` and has the same strategies and errors. Without ``leniency``, which is the
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
        try decode(from: bytes) { try $0.decodeDeclared(type) }
    }

    /// Decodes a value from a JSON document.
    ///
    /// - Throws: `DecodingError`, or an error of the decoded type. If the document is not JSON, the error is
    ///   `.dataCorrupted` with a `JSONSyntaxError` as its underlying error.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decode(type, from: [UInt8](data))
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
        return try withDocument(bytes) { root in
            let state = DecodingState(root, self, reportsUnknownMembers: true)
            defer {
                drift = state.repairs.report
                state.end()
            }
            return try ValueDecoder(state, at: root.position, .root, of: nil).decodeDeclared(type)
        }
    }

    /// Decodes a value and reports the repairs, as the function for an array of bytes does.
    ///
    /// - Throws: `DecodingError`, or an error of the decoded type. If the document is not JSON, the error is
    ///   `.dataCorrupted` with a `JSONSyntaxError` as its underlying error.
    public func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, drift: inout DriftReport
    ) throws -> Value {
        try decode(type, from: [UInt8](data), drift: &drift)
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
        try decode(from: [UInt8](data)) { try Value(from: $0, configuration: configuration) }
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

    private func decode<Value>(from bytes: [UInt8], _ read: (ValueDecoder) throws -> Value) throws -> Value {
        try withDocument(bytes) { root in
            let state = DecodingState(root, self, reportsUnknownMembers: false)
            defer { state.end() }
            return try read(ValueDecoder(state, at: root.position, .root, of: nil))
        }
    }

    private func withDocument<Value>(_ bytes: [UInt8], _ read: (JSONNode) throws -> Value) throws -> Value {
        var parser = JSONParser(options: jsonOptions)
        do {
            return try parser.withDocument(bytes, read)
        } catch let error as JSONSyntaxError {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: [], debugDescription: "The document is not valid JSON: \(error)",
                    underlyingError: error))
        }
    }
}
