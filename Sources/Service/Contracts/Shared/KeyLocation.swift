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
