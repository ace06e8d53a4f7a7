/// A `JSONDecodable` model that can be used inside of `Decodable` ones, with any decoder.
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
/// The model sees its keys as they stand in the document, whatever the decoder's key strategy.
public protocol JSONToCodableDecodable: JSONDecodable, Decodable {}

extension JSONToCodableDecodable {
    /// Makes the model of the value that `decoder` stands at.
    ///
    /// - Throws: `DecodingError`, with the place inside the model at the end of its coding path.
    public init(from decoder: any Decoder) throws {
        let json = try JSONValue(from: decoder)
        do {
            try self.init(json: json)
        } catch let error as JSONDecodingError {
            let path = decoder.codingPath + error.path.map(RawCodingKey.init)
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: path, debugDescription: error.reason, underlyingError: error))
        }
    }
}

extension RawCodingKey {
    fileprivate init(_ step: JSONDecodingError.Step) {
        switch step {
        case .key(let key): self.init(key)
        case .index(let index): self.init(intValue: index)
        }
    }
}
