import Records
package import API

/// How requests to an upstream are authorized.
package enum AuthorizationScheme: String, CaseIterable {
    case bearer, header, query, path, basic, oauth1, oauth2, jwt

    /// Whether requests of a dialect, or of none, can use it.
    package func isAvailable(to dialect: (any Dialect)?) -> Bool {
        switch self {
        case .bearer, .header, .query, .basic, .oauth2, .jwt: true
        case .path: dialect?.keyLocation == .path
        // Twitter's dialects, which name the user by a token.
        case .oauth1: dialect?.keyLocation == .bearer && dialect?.needsKey == true
        }
    }

    /// Whether the setting `keyName` belongs to it.
    package var takesName: Bool { self == .header || self == .query }

    /// Whether a header field, or a parameter beside `parameters`, can have this name.
    package func accepts(name: String, beside parameters: Set<String>) -> Bool {
        guard name.wholeMatch(of: /[A-Za-z0-9_\-]{1,64}/) != nil else { return false }
        return self == .query ? !parameters.contains(name) : !Self.reserved.contains(name.lowercased())
    }

    /// The header fields that decide how a message is read or whether it is answered, those of connections and proxies,
    /// and those that the client sets itself.
    private static let reserved: Set = [
        "accept", "accept-encoding", "connection", "content-length", "expect", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "proxy-authorization", "proxy-connection",
        "range", "te", "trailer", "traceparent", "tracestate", "transfer-encoding", "upgrade",
        "user-agent",
    ]
}

extension UpstreamConfiguration {
    package var scheme: AuthorizationScheme? { authorization.flatMap(AuthorizationScheme.init) }

    /// Whether requests must be authorized.
    package var needsKey: Bool { scheme != nil || knownDialect?.needsKey == true }

    /// Where requests carry the key.
    package var keyLocation: KeyLocation {
        switch scheme {
        case .bearer, .oauth2, .jwt: .bearer
        case .header: .header(keyName ?? "")
        case .query: .query(keyName ?? "")
        case .path: .path
        case .basic: .basic
        case .oauth1, nil: knownDialect?.keyLocation ?? .none
        }
    }

    /// The sources of all keys by their settings.
    package var keySources: [(setting: KeyPath<Self, KeyConfiguration?>, value: KeyConfiguration)] {
        values(of: Self.keySettings)
    }

    private static var keySettings: [KeyPath<Self, KeyConfiguration?>] {
        [
            \.key, \.oauth1?.consumerKey, \.oauth1?.consumerSecret, \.oauth1?.token, \.oauth1?.tokenSecret,
            \.oauth2?.clientID, \.oauth2?.clientSecret, \.jwt?.privateKey,
        ]
    }

    /// Where a secret belongs that would otherwise be shown with the settings.
    static let placeOfSecrets = """
        a key comes from a source, such as {"environment": "NAME"} or {"file": "PATH"}, whose text is taken as it is
        """

    /// Whether the setting at `path` is a source of a key, or a header field, in which a variable may be a secret.
    static func isSecret(_ path: String) -> Bool {
        guard path.isSetting(Configuration.schema.path(of: \.upstreams)), let end = path.firstIndex(of: "]") else {
            return false
        }
        let rest = String(path[end...].dropFirst(2))
        return (keySettings + [\Self.headers]).contains { rest.isSetting(schema.path(of: $0)) }
    }
}
