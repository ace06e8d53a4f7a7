import LenientCoding

// Each step has all models at that point of the migration. It compiles and reads the same document.

/// Before: models made of dictionaries.
enum DictionaryModels {
    struct SocialProfile {
        let type: String
        let url: String
        let username: String?
        let name: String?

        init?(dictionary: [String: Any]) {
            guard let type = dictionary["type"] as? String, let url = dictionary["url"] as? String else { return nil }
            self.type = type
            self.url = url
            username = dictionary["username"] as? String
            name = dictionary["name"] as? String
        }
    }

    enum EmployeeLevel: String {
        case trainee, regular, senior
    }

    struct User {
        let id: Int
        let name: String
        let level: EmployeeLevel
        let profiles: [SocialProfile]

        init?(dictionary: [String: Any]) {
            guard let id = dictionary["id"] as? Int, let name = dictionary["name"] as? String,
                let level = (dictionary["level"] as? String).flatMap(EmployeeLevel.init),
                let profiles = dictionary["profiles"] as? [[String: Any]]
            else { return nil }
            self.id = id
            self.name = name
            self.level = level
            self.profiles = profiles.compactMap(SocialProfile.init)
        }
    }

    struct UserList {
        let id: Int
        let users: [User]

        init?(dictionary: [String: Any]) {
            guard let id = dictionary["id"] as? Int, let users = dictionary["users"] as? [[String: Any]]
            else { return nil }
            self.id = id
            self.users = users.compactMap(User.init)
        }
    }
}

/// Step 1: all models are `JSONDecodable`.
enum JSONModels {
    struct SocialProfile: JSONDecodable {
        let type: String
        let url: String
        let username: String?
        let name: String?

        init(json: JSONValue) throws {
            type = try json.decode("type")
            url = try json.decode("url")
            username = try json.decodeIfPresent("username")
            name = try json.decodeIfPresent("name")
        }
    }

    enum EmployeeLevel: String, JSONDecodable {
        case trainee, regular, senior
    }

    struct User: JSONDecodable {
        let id: Int
        let name: String
        let level: EmployeeLevel
        let profiles: [SocialProfile]

        init(json: JSONValue) throws {
            id = try json.decode("id")
            name = try json.decode("name")
            level = try json.decode("level")
            profiles = try json.decode("profiles", default: [])
        }
    }

    struct UserList: JSONDecodable {
        let id: Int
        let users: [User]

        init(json: JSONValue) throws {
            id = try json.decode("id")
            users = try json.decode("users")
        }
    }
}

/// Step 2: the innermost models are Codable, inside models that are not.
enum InnerCodableModels {
    struct SocialProfile: Codable, CodableToJSONDecodable {
        let type: String
        let url: String
        let username: String?
        let name: String?
    }

    enum EmployeeLevel: String, Codable, CodableToJSONDecodable {
        case trainee, regular, senior
    }

    struct User: JSONDecodable {
        let id: Int
        let name: String
        let level: EmployeeLevel
        let profiles: [SocialProfile]

        init(json: JSONValue) throws {
            id = try json.decode("id")
            name = try json.decode("name")
            level = try json.decode("level")
            profiles = try json.decode("profiles", default: [])
        }
    }

    struct UserList: JSONDecodable {
        let id: Int
        let users: [User]

        init(json: JSONValue) throws {
            id = try json.decode("id")
            users = try json.decode("users")
        }
    }
}

/// Step 3: the outermost model is Codable too, with a model inside that is not.
enum OuterCodableModels {
    struct SocialProfile: Codable, CodableToJSONDecodable {
        let type: String
        let url: String
        let username: String?
        let name: String?
    }

    enum EmployeeLevel: String, Codable, CodableToJSONDecodable {
        case trainee, regular, senior
    }

    struct User: JSONToCodableDecodable {
        let id: Int
        let name: String
        let level: EmployeeLevel
        let profiles: [SocialProfile]

        init(json: JSONValue) throws {
            id = try json.decode("id")
            name = try json.decode("name")
            level = try json.decode("level")
            profiles = try json.decode("profiles", default: [])
        }
    }

    struct UserList: Decodable {
        let id: Int
        let users: [User]
    }
}

/// Step 4: all models are Codable.
enum CodableModels {
    struct SocialProfile: Codable {
        let type: String
        let url: String
        let username: String?
        let name: String?
    }

    enum EmployeeLevel: String, Codable {
        case trainee, regular, senior
    }

    struct User: Codable {
        let id: Int
        let name: String
        let level: EmployeeLevel
        @DefaultEmpty var profiles: [SocialProfile]
    }

    struct UserList: Codable {
        let id: Int
        @Lossy var users: [User]
    }
}
