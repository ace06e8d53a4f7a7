/// A `Decodable` model that can be used inside of `JSONDecodable` ones.
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
    /// The decoder for such models; one that is set up in no way, unless the model says otherwise.
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
    /// A decoder with its standard strategies.
    public static var jsonDecoder: LenientDecoder { LenientDecoder() }

    /// Decodes the model from `json`.
    ///
    /// - Throws: `JSONDecodingError`, which names the place.
    public init(json: JSONValue) throws {
        do {
            self = try Self.jsonDecoder.decode(Self.self, from: json.text)
        } catch let error as DecodingError {
            throw JSONDecodingError(error)
        }
    }
}

extension JSONDecodingError {
    /// The error that a decoder threw.
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
