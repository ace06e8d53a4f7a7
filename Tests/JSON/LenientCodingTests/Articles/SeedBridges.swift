import Foundation

/// The models of "Migrating to Codable from a third party parsing library", and a library such as the one they leave.
enum SeedBridges {
    /// The coder with which the Codable models inside of the other library's are decoded.
    @TaskLocal static var coder = SuiteCoder.lenient

    static let document = """
        {"id":1,"users":[{"id":7,"name":"Ada","code":"42","yes":"true","level":"senior","balance":0.10,"one":1,"zero":0,
          "profile":{"type":"github","url":"https://example.org/ada","username":"ada","name":null}},
         {"id":8,"name":"Bob","code":"0","yes":"false","level":"junior","balance":12,"one":1.0,"zero":false,
          "profile":{"type":"web","url":"https://example.org/bob"}}]}
        """

    /// The other library's JSON, made Codable by trying one type after another.
    enum JSON: Decodable, Equatable {
        case object([String: JSON]), array([JSON]), string(String), number(NSNumber), bool(Bool), null

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(NSNumber(value: value))
            } else if let value = try? container.decode(String.self) {
                self = .string(value)
            } else if let value = try? container.decode([String: JSON].self) {
                self = .object(value)
            } else if let value = try? container.decode([JSON].self) {
                self = .array(value)
            } else if container.decodeNil() {
                self = .null
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "No JSON.")
            }
        }

        subscript(key: String) -> JSON? {
            if case .object(let members) = self { members[key] } else { nil }
        }

        /// The value as JSONSerialization writes it.
        var object: Any {
            switch self {
            case .object(let members): members.mapValues(\.object)
            case .array(let elements): elements.map(\.object)
            case .string(let text): text
            case .number(let number): number
            case .bool(let truth): NSNumber(value: truth)
            case .null: NSNull()
            }
        }

        func text(_ key: String) throws -> String {
            guard case .string(let text) = self[key] else { throw Missing(key: key) }
            return text
        }
    }

    struct Missing: Error { let key: String }

    /// A model of the other library.
    protocol OtherDecodable { static func decode(_ json: JSON) throws -> Self }

    /// A Codable model inside of models of the other library.
    protocol CodableToOther: OtherDecodable, Decodable {}

    /// A model of the other library inside of Codable models.
    protocol OtherToCodable: OtherDecodable, Decodable {}

    struct Profile: CodableToOther, Equatable {
        let type: String, url: String, username: String?, name: String?
    }
    enum Level: String, CodableToOther { case junior, senior }

    struct User: OtherToCodable, Equatable {
        let id: Int, name: String, code: String, yes: String, level: Level, profile: Profile

        static func decode(_ json: JSON) throws -> User {
            guard case .number(let id) = json["id"], let level = json["level"], let profile = json["profile"] else {
                throw Missing(key: "id")
            }
            return User(
                id: id.intValue, name: try json.text("name"), code: try json.text("code"), yes: try json.text("yes"),
                level: try Level.decode(level), profile: try Profile.decode(profile))
        }
    }
    struct UserList: Decodable, Equatable { let id: Int, users: [User] }
}

extension SeedBridges.CodableToOther {
    /// Writes the other library's JSON as a document and decodes it.
    static func decode(_ json: SeedBridges.JSON) throws -> Self {
        let data = try JSONSerialization.data(withJSONObject: [json.object])
        guard let value = try SeedBridges.coder.decode([Self].self, String(decoding: data, as: UTF8.self)).first else {
            throw SeedBridges.Missing(key: "value")
        }
        return value
    }
}

extension SeedBridges.OtherToCodable {
    /// Decodes the other library's JSON from any decoder.
    init(from decoder: any Decoder) throws {
        let json = try decoder.singleValueContainer().decode(SeedBridges.JSON.self)
        self = try Self.decode(json)
    }
}
