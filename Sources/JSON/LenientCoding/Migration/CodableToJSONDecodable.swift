/// A `Decodable` model that `JSONDecodable` models can contain.
///
///     struct SocialProfile: Codable, CodableToJSONDecodable {
///         let type: String
///         let url: String
///     }
///     struct User: JSONDecodable {
///         let profile: SocialProfile
///         init(json: JSONValue) throws { profile = try json.decode("profile") }
///     }
public protocol CodableToJSONDecodable: JSONDecodable, Decodable {
    /// The decoder for models of this type.
    ///
    /// By default it is the `LenientDecoder` that decodes the outermost model, if a `JSONToCodableDecodable` model is on
    /// the way, or else one without settings.
    ///
    ///     struct Profile: Decodable, CodableToJSONDecodable {
    ///         var imageURL: String
    ///         static var jsonDecoder: LenientDecoder {
    ///             var decoder = LenientDecoder()
    ///             decoder.keyDecodingStrategy = .convertFromSnakeCase
    ///             return decoder
    ///         }
    ///     }
    static var jsonDecoder: LenientDecoder { get }
}

extension CodableToJSONDecodable {
    /// The decoder of the outermost model, or one without settings.
    public static var jsonDecoder: LenientDecoder { BridgeContext.current?.decoder ?? LenientDecoder() }

    /// Decodes the model with `jsonDecoder`.
    ///
    /// Repairs are noted in the `driftRecorder` of the outermost model's decoder, with the path from there, or else in
    /// that of `jsonDecoder`.
    ///
    /// - Throws: `JSONDecodingError` for a `DecodingError`, with the same path; other errors of the model unchanged.
    public init(json: JSONValue) throws {
        var decoder = Self.jsonDecoder
        // The document is a part of another one, so its paths become complete only here.
        let own = decoder.userInfo.removeValue(forKey: .driftRecorder) as? DriftRecorder
        let context = BridgeContext.current
        let recorder = context?.recorder ?? own
        do {
            if let recorder {
                var drift = DriftReport()
                self = try decoder.decode(Self.self, from: json.text, drift: &drift)
                recorder.note(drift, under: context?.path ?? [])
            } else {
                self = try decoder.decode(Self.self, from: json.text)
            }
        } catch let error as DecodingError {
            throw JSONDecodingError(error)
        }
    }
}

/// A `JSONDecodable` model that `Decodable` models can contain, with any decoder.
///
///     struct User: JSONToCodableDecodable {
///         let id: Int
///         init(json: JSONValue) throws { id = try json.decode("id") }
///     }
///     struct UserList: Decodable {
///         let id: Int
///         let users: [User]
///     }
///
/// The model reads the keys of the document; the decoder's key strategy does not convert them. `Codable` models in it
/// (``CodableToJSONDecodable``) are decoded with the decoder's strategies, and their repairs go to its report.
public protocol JSONToCodableDecodable: JSONDecodable, Decodable {}

extension JSONToCodableDecodable {
    /// Decodes a `JSONValue` and creates the model from it.
    ///
    /// - Throws: `DecodingError` for a `JSONDecodingError`, with its path appended to the coding path; other errors of
    ///   the model unchanged.
    public init(from decoder: any Decoder) throws {
        let json = try JSONValue(from: decoder)
        do {
            self = try BridgeContext.$current.withValue(BridgeContext(decoder)) { try Self(json: json) }
        } catch let error as JSONDecodingError {
            let path = decoder.codingPath + error.path.map(RawCodingKey.init)
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: path, debugDescription: error.reason, underlyingError: error))
        }
    }
}

extension JSONDecodingError {
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context): self.init("missing", at: Self.steps(context.codingPath + [key]))
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            self.init(context.debugDescription, at: Self.steps(context.codingPath))
        @unknown default: self.init("\(error)")
        }
    }

    private static func steps(_ path: [any CodingKey]) -> [Step] {
        path.map { key in key.intValue.map(Step.index) ?? .key(key.stringValue) }
    }
}

extension RawCodingKey {
    init(_ step: JSONDecodingError.Step) {
        switch step {
        case .key(let key): self.init(key)
        case .index(let index): self.init(intValue: index)
        }
    }
}

/// The settings that an outer `Decodable` model passes through hand-written models to the `Codable` models in them.
struct BridgeContext: Sendable {
    @TaskLocal static var current: BridgeContext?

    /// The outer decoder's strategies, leniency and user info; the default ones of a decoder of another module.
    let decoder: LenientDecoder
    /// The outer decoder's recorder.
    let recorder: DriftRecorder?
    /// The path from the root of the document to the current value.
    private(set) var path: [RawCodingKey]

    init(_ outer: any Decoder) {
        decoder = (outer as? ValueDecoder)?.state.configuration ?? LenientDecoder()
        recorder = outer.driftRecorder
        path = outer.codingPath.map { key in
            key.intValue.map { RawCodingKey(intValue: $0) } ?? RawCodingKey(key.stringValue)
        }
    }

    /// Runs `body` with the path of a value inside the current one.
    static func at<Result>(_ step: JSONDecodingError.Step, _ body: () throws -> Result) rethrows -> Result {
        guard var context = current else { return try body() }
        context.path.append(RawCodingKey(step))
        return try $current.withValue(context, operation: body)
    }
}
