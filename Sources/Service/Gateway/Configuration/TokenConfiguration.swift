import Signatures

/// The client credentials of OAuth 2.0 (RFC 6749 §4.4).
struct OAuth2Configuration: Codable, Sendable {
    /// The address of the token endpoint.
    var tokenURL = ""
    var clientID = KeyConfiguration(), clientSecret = KeyConfiguration()
    /// The scope to ask for; nil for the endpoint's default.
    var scope: String?

    init(from decoder: any Decoder) throws {
        var settings = try SettingsReader<CodingKeys>(decoder)
        tokenURL = settings.required(.tokenURL) ?? tokenURL
        clientID = settings.required(.clientID) ?? clientID
        clientSecret = settings.required(.clientSecret) ?? clientSecret
        scope = settings.optional(.scope)
        try settings.finish()
    }

    /// The sources by their names.
    var sources: [(name: String, source: KeyConfiguration)] {
        [("clientID", clientID), ("clientSecret", clientSecret)]
    }

    /// The faults by their settings.
    var faults: [(setting: String, detail: String)] {
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
struct JWTConfiguration: Codable, Sendable {
    /// The source of a private key in PEM.
    var privateKey = KeyConfiguration()
    var keyID = "", issuer = "", subject = ""
    /// The member `id` of the header, which WeatherKit requires.
    var id: String?
    /// The time for which a token is valid.
    var lifetimeSeconds = 3600

    init(from decoder: any Decoder) throws {
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
    var faults: [(setting: String, detail: String)] {
        let texts = [("keyID", keyID), ("issuer", issuer), ("subject", subject)] + (id.map { [("id", $0)] } ?? [])
        return texts.filter { $0.1.isEmpty }.map { ($0.0, "must not be empty") }
    }
}

extension JWTConfiguration {
    /// Makes tokens with these claims that `key` signs.
    func token(key: ES256Key) -> JSONWebToken {
        JSONWebToken(key: key, keyID: keyID, issuer: issuer, subject: subject, id: id, lifetime: lifetimeSeconds)
    }
}
