/// A model that is made of a `JSONValue` by hand, as it would be of a dictionary.
///
///     extension User: JSONDecodable {
///         init(json: JSONValue) throws {
///             id = try json.decode("id")
///             name = try json.decodeIfPresent("name")
///             level = try json.decode("level", default: .trainee)
///         }
///     }
///
/// It is where a model arrives that comes from `[String: Any]` or from a library with a JSON type of its own, and from
/// where it goes on to `Codable`: ``CodableToJSONDecodable`` and ``JSONToCodableDecodable`` let both kinds hold each other.
public protocol JSONDecodable {
    /// Makes the model of `json`.
    ///
    ///     struct Place: JSONDecodable {
    ///         let name: String
    ///         init(json: JSONValue) throws { name = try json.decode("name") }
    ///     }
    ///     try Place(json: ["name": "Oslo"]).name  // "Oslo"
    ///
    /// - Throws: `JSONDecodingError`, which names the place, or an error of the model's own.
    init(json: JSONValue) throws
}

extension JSONValue {
    /// Makes a model of this value.
    ///
    ///     let ids = try json.decode(as: [Int].self)
    public func decode<Model: JSONDecodable>(as type: Model.Type = Model.self) throws -> Model { try Model(json: self) }

    /// Makes a model of the member called `key`.
    ///
    ///     let id = try json.decode("id", as: Int.self)
    ///
    /// - Throws: `JSONDecodingError` when this is no object, when there is no such member, or where the model says so.
    public func decode<Model: JSONDecodable>(_ key: String, as type: Model.Type = Model.self) throws -> Model {
        guard let value = try member(key) else {
            if let absent: Model = absentValue(of: type) { return absent }
            throw JSONDecodingError("missing", at: [.key(key)])
        }
        return try Model(json: value, at: .key(key))
    }

    /// Makes a model of the member called `key`; nil when there is none or it is null.
    ///
    ///     let name: String? = try json.decodeIfPresent("name")
    ///
    /// - Throws: `JSONDecodingError` when this is no object, or where the model says so.
    public func decodeIfPresent<Model: JSONDecodable>(
        _ key: String, as type: Model.Type = Model.self
    ) throws -> Model? {
        guard let value = try member(key), !value.isNull else { return nil }
        return try Model(json: value, at: .key(key))
    }

    /// Makes a model of the member called `key`; `standard` when there is none or it is null.
    ///
    ///     let level = try json.decode("level", default: 1)
    ///
    /// - Throws: `JSONDecodingError` when this is no object, or where the model says so.
    public func decode<Model: JSONDecodable>(
        _ key: String, default standard: @autoclosure () throws -> Model
    ) throws -> Model {
        try decodeIfPresent(key) ?? standard()
    }

    private func member(_ key: String) throws -> JSONValue? {
        guard case .object = self else { throw mismatch("an object") }
        return self[key]
    }

    /// The error of a value that is not `expectation`.
    func mismatch(_ expectation: String) -> JSONDecodingError {
        JSONDecodingError("expected \(expectation), found \(kindName)")
    }
}

extension JSONDecodable {
    /// Makes the model of what stands at `step`; an error in it names the way from before that step.
    init(json: JSONValue, at step: JSONDecodingError.Step) throws {
        do {
            try self.init(json: json)
        } catch var error as JSONDecodingError {
            error.path.insert(step, at: 0)
            throw error
        }
    }
}
