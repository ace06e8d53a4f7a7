#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import JSONText

/// Decodes any `Decodable` type from JSON and repairs common defects of the document.
///
/// It replaces Foundation's `JSONDecoder` and has the same strategies and errors. A `DriftReport` lists the repairs. A
/// decoder is a value and decoding does not change it, so several threads may use one.
///
///     var decoder = LenientDecoder()
///     decoder.keyDecodingStrategy = .convertFromSnakeCase
///     var drift = DriftReport()
///     let tweet = try decoder.decode(Tweet.self, from: bytes, drift: &drift)
///
/// If a key occurs more than once in an object, the last member counts, as in ECMAScript.
public struct LenientDecoder: Sendable {
    /// How coding keys match members; exactly by default.
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
    /// How a `Date` is decoded; from seconds since 2001 by default.
    public var dateDecodingStrategy = DateDecodingStrategy.deferredToDate
    /// How `Data` is decoded; from base64 by default.
    public var dataDecodingStrategy = DataDecodingStrategy.base64
    /// What is repaired; everything by default.
    public var leniency = Leniency.all
    /// The limits of the parser and the extensions of JSON that it accepts; none beyond RFC 8259 by default.
    public var jsonOptions = JSONOptions()
    /// The user info for the decoded types.
    ///
    /// If it has no `driftRecorder`, the report of the decode includes the repairs of wrappers and container calls.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the default strategies and all repairs.
    public init() {}

    /// Decodes a value from the bytes of a JSON document.
    ///
    /// - Throws: `DecodingError`, or an error of the decoded type. If the document is not JSON, the error is
    ///   `.dataCorrupted` with a `JSONSyntaxError` as its underlying error.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try withDocument(bytes) { root in
            let state = DecodingState(root, self, reportsUnknownMembers: false)
            defer { state.end() }
            return try ValueDecoder(state, at: root.position, .root, of: nil).decode(type)
        }
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
            return try ValueDecoder(state, at: root.position, .root, of: nil).decode(type)
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
