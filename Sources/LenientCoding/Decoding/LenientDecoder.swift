public import FoundationEssentials
public import JSONText

/// Decodes any `Decodable` type from JSON, forgiving what can be forgiven without loss.
///
/// It stands where Foundation's `JSONDecoder` stood: the same strategies, the same errors. What it repairs is said in
/// a `DriftReport`. A decoder is a value: decoding changes nothing in it, and decodes that run at once share nothing.
///
///     var decoder = LenientDecoder()
///     decoder.keyDecodingStrategy = .convertFromSnakeCase
///     var drift = DriftReport()
///     let tweet = try decoder.decode(Tweet.self, from: bytes, drift: &drift)
///
/// Of members that stand more than once in an object the last one counts, as in ECMAScript.
public struct LenientDecoder: Sendable {
    /// How coding keys find their members; as they are spelled, unless set.
    ///
    ///     decoder.keyDecodingStrategy = .convertFromSnakeCase
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
    /// How a `Date` is read; as `Date` itself does it, in seconds since 2001, unless set.
    ///
    ///     decoder.dateDecodingStrategy = .iso8601
    public var dateDecodingStrategy = DateDecodingStrategy.deferredToDate
    /// How `Data` is read; from base64, unless set.
    ///
    ///     decoder.dataDecodingStrategy = .deferredToData
    public var dataDecodingStrategy = DataDecodingStrategy.base64
    /// What is repaired; everything, unless set.
    ///
    ///     decoder.leniency.remove(.coercion)
    public var leniency = Leniency.all
    /// What is accepted as JSON; strict RFC 8259, unless set.
    ///
    ///     decoder.jsonOptions.leniency = [.comments, .trailingCommas]
    public var jsonOptions = JSONOptions()
    /// What the decoded types may ask their decoder for.
    ///
    /// Without a `driftRecorder` in it, what wrappers and helpers note becomes part of the decode's report.
    ///
    ///     decoder.userInfo[.invalidElementStrategy] = InvalidElementStrategy<Any>.remove
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// A decoder that repairs what it can, with the keys as they are spelled.
    ///
    ///     try LenientDecoder().decode([Int].self, from: Array(#"[1,"2"]"#.utf8))  // [1, 2]
    public init() {}

    /// Decodes a value from the bytes of a JSON document.
    ///
    ///     let tweet = try decoder.decode(Tweet.self, from: bytes)
    ///
    /// - Throws: `DecodingError`; where the document is no JSON, `.dataCorrupted` with a `JSONSyntaxError` underneath.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) throws -> Value {
        try withDocument(bytes) { root in
            let state = DecodingState(root, self, reportsUnknownMembers: false)
            defer { state.end() }
            return try ValueDecoder(state, at: root.position, .root).decode(type)
        }
    }

    /// Decodes a value from a JSON document.
    ///
    ///     let tweet = try decoder.decode(Tweet.self, from: Data(contentsOf: file))
    ///
    /// - Throws: `DecodingError`; where the document is no JSON, `.dataCorrupted` with a `JSONSyntaxError` underneath.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decode(type, from: [UInt8](data))
    }

    /// Decodes a value and says what had to be repaired.
    ///
    /// `drift` becomes the report of this document, also when decoding fails. Members that no coding key means are in it
    /// as `unexpectedKey`; to find them costs some time, which decoding without a report does not spend.
    ///
    ///     var drift = DriftReport()
    ///     let tweets = try decoder.decode([Tweet].self, from: bytes, drift: &drift)
    ///     print(drift.summary)  // dropped=1, coerced=3
    ///
    /// - Throws: `DecodingError`; where the document is no JSON, `.dataCorrupted` with a `JSONSyntaxError` underneath.
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
            return try ValueDecoder(state, at: root.position, .root).decode(type)
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
