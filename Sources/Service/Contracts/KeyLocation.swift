/// Where a request to an upstream carries the API key.
public enum KeyLocation: Sendable, Equatable {
    /// Requests carry no key.
    case none
    /// In the path, in place of `{key}` in the target.
    case path
    /// In the header field of this name, never in the URL.
    case header(String)
    /// In the header field `Authorization`, as a bearer token (RFC 6750 §2.1).
    case bearer
    /// In the query, as the parameter of this name.
    case query(String)
    /// In the header field `Authorization`, as a user and a password (RFC 7617 §2); the key is `USER:PASSWORD`.
    case basic
}

extension KeyLocation {
    /// Returns the names of the parameters in requests to `targets`, which need no decoding: a key cannot have one of them.
    package static func parameterNames(in targets: [String]) -> Set<String> {
        let queries = targets.compactMap { $0.split(separator: "?", maxSplits: 1).dropFirst().first }
        return Set(queries.flatMap { $0.split(separator: "&") }.map { String($0.prefix { $0 != "=" }) })
    }
}
