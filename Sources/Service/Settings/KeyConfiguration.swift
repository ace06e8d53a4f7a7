package import Records
/// The source of a key; never the configuration file itself, which is printed and kept.
package struct KeyConfiguration: Record {
    package var environment: String?
    package var file: String?
    package var optional = false

    package init() {}

    package static let schema = Schema<KeyConfiguration>(.exact, .defaulted) {
        Field(
            \.environment, .takes("letters, digits and `_`, no digit first"), .example(#""WEIR_WEATHER_KEY""#),
            .note("The environment variable that holds the key."))
        Field(
            \.file, .takes("a path"), .example(#""/run/secrets/weather-key""#),
            .note(
                "A regular file such as a mounted secret, relative to the configuration file. Its first line "
                    + "that is not empty is the key; for `jwt`, its whole content is. The file has at most 4096 "
                    + "bytes, for `jwt` 16 KiB."))
        Field(
            \.optional, .example("true"),
            .note("Whether to start without this upstream if the key is missing. The log names it."))
    }
}

/// The sources of the four keys of OAuth 1.0a.
package struct OAuth1Configuration: Record {
    package var consumerKey = KeyConfiguration(), consumerSecret = KeyConfiguration()
    package var token = KeyConfiguration(), tokenSecret = KeyConfiguration()

    package init() {}

    package static let schema = Schema<OAuth1Configuration>(.exact, .defaulted) {
        Field(
            \.consumerKey, .required, .takes("a source"), .example(#"{"environment": "WEIR_CONSUMER_KEY"}"#),
            .note("The consumer key (\"API key\")."))
        Field(
            \.consumerSecret, .required, .takes("a source"), .example(#"{"file": "/run/secrets/consumer-secret"}"#),
            .note("The consumer secret (\"API key secret\")."))
        Field(
            \.token, .required, .takes("a source"), .example(#"{"environment": "WEIR_TOKEN"}"#),
            .note("The user's access token."))
        Field(
            \.tokenSecret, .required, .takes("a source"), .example(#"{"file": "/run/secrets/token-secret"}"#),
            .note("The secret of that token."))
    }
}

/// The client credentials of OAuth 2.0 (RFC 6749 §4.4).
package struct OAuth2Configuration: Record {
    package var tokenURL = ""
    package var clientID = KeyConfiguration(), clientSecret = KeyConfiguration()
    package var scope: String?

    package init() {}

    package static let schema = Schema<OAuth2Configuration>(.exact, .defaulted) {
        Field(
            \.tokenURL, .required, .takes("like `upstreams[].baseURL`"),
            .example(#""https://api.x.com/oauth2/token""#),
            .note("The address of the token endpoint."))
        Field(
            \.clientID, .required, .takes("a source"), .example(#"{"environment": "WEIR_CLIENT_ID"}"#),
            .note("The identifier of the client (\"consumer key\")."))
        Field(
            \.clientSecret, .required, .takes("a source"), .example(#"{"file": "/run/secrets/client-secret"}"#),
            .note("The secret of the client (\"consumer secret\")."))
        Field(
            \.scope, .takes("words of visible ASCII"), .example(#""tweets.read""#),
            .note("The scope to ask for."))
    }
}

/// The claims and the key of JSON Web Tokens (RFC 7519).
package struct JWTConfiguration: Record {
    package var privateKey = KeyConfiguration()
    package var keyID = "", issuer = "", subject = ""

    package init() {}

    package static let schema = Schema<JWTConfiguration>(.exact, .defaulted) {
        Field(
            \.privateKey, .required, .takes("a source"), .example(#"{"file": "/run/secrets/AuthKey.p8"}"#),
            .note(
                "A private key on the curve P-256 in PEM (PKCS #8, not encrypted). In a variable, `\\n` may "
                    + "stand for the end of a line."))
        Field(
            \.keyID, .required, .takes("text"), .example(#""ABC123DEFG""#),
            .note("`kid`: the identifier of the key."))
        Field(
            \.issuer, .required, .takes("text"), .example(#""TEAM123456""#),
            .note("`iss`: for WeatherKit the team's identifier."))
        Field(
            \.subject, .required, .takes("text"), .example(#""com.example.weather""#),
            .note("`sub`: for WeatherKit the service's identifier."))
    }
}
