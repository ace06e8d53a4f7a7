/// The source of a key; never the configuration file itself, which is printed and kept.
package struct KeyConfiguration: Codable, Sendable {
    package var environment: String?
    /// The path of a file that holds only the key, such as a mounted secret.
    package var file: String?
    /// Whether the upstream is omitted if the variable or file does not exist.
    package var optional = false

    package init() {}

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        environment = settings.optional(.environment)
        file = settings.optional(.file)
        settings.read(&optional, .optional)
        try settings.finish()
    }
}

/// The sources of the four keys of OAuth 1.0a.
package struct OAuth1Configuration: Codable, Sendable {
    package var consumerKey = KeyConfiguration(), consumerSecret = KeyConfiguration()
    package var token = KeyConfiguration(), tokenSecret = KeyConfiguration()

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        consumerKey = settings.required(.consumerKey) ?? consumerKey
        consumerSecret = settings.required(.consumerSecret) ?? consumerSecret
        token = settings.required(.token) ?? token
        tokenSecret = settings.required(.tokenSecret) ?? tokenSecret
        try settings.finish()
    }

    /// The sources by their names.
    package var sources: [(name: String, source: KeyConfiguration)] {
        [
            ("consumerKey", consumerKey), ("consumerSecret", consumerSecret), ("token", token),
            ("tokenSecret", tokenSecret),
        ]
    }
}

/// The client credentials of OAuth 2.0 (RFC 6749 §4.4).
package struct OAuth2Configuration: Codable, Sendable {
    /// The address of the token endpoint.
    package var tokenURL = ""
    package var clientID = KeyConfiguration(), clientSecret = KeyConfiguration()
    /// The scope to ask for; nil for the endpoint's default.
    package var scope: String?

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        tokenURL = settings.required(.tokenURL) ?? tokenURL
        clientID = settings.required(.clientID) ?? clientID
        clientSecret = settings.required(.clientSecret) ?? clientSecret
        scope = settings.optional(.scope)
        try settings.finish()
    }

    /// The sources by their names.
    package var sources: [(name: String, source: KeyConfiguration)] {
        [("clientID", clientID), ("clientSecret", clientSecret)]
    }

    /// The faults by their settings.
    package var faults: [(setting: String, detail: String)] {
        var faults: [(setting: String, detail: String)] = []
        do throws(BaseURL.Fault) { _ = try BaseURL(tokenURL) } catch { faults.append(("tokenURL", error.detail)) }
        // RFC 6749 §3.3.
        if let scope, scope.wholeMatch(of: /[!#-\[\]-~]+(?: [!#-\[\]-~]+)*/) == nil {
            faults.append(("scope", "must be words of visible ASCII without \" and \\, with a space between them"))
        }
        return faults
    }
}

/// The claims and the key of JSON Web Tokens (RFC 7519).
package struct JWTConfiguration: Codable, Sendable {
    /// The source of a private key in PEM.
    package var privateKey = KeyConfiguration()
    package var keyID = "", issuer = "", subject = ""
    /// The member `id` of the header, which WeatherKit requires.
    package var id: String?
    /// The time for which a token is valid.
    package var lifetimeSeconds = 3600

    package init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        privateKey = settings.required(.privateKey) ?? privateKey
        keyID = settings.required(.keyID) ?? keyID
        issuer = settings.required(.issuer) ?? issuer
        subject = settings.required(.subject) ?? subject
        id = settings.optional(.id)
        settings.read(&lifetimeSeconds, .lifetimeSeconds, in: 10...86_400)
        try settings.finish()
    }

    /// The faults by their settings.
    package var faults: [(setting: String, detail: String)] {
        let texts = [("keyID", keyID), ("issuer", issuer), ("subject", subject)] + (id.map { [("id", $0)] } ?? [])
        return texts.filter { $0.1.isEmpty }.map { ($0.0, "must not be empty") }
    }
}
