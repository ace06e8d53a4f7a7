/// A complete request, with its body decoded from the transfer coding.
public struct Request: Sendable {
    /// The method.
    public let method: Method
    /// The path and the query.
    public let target: RequestTarget
    /// The version that the request is read as.
    public let version: Version
    /// The header fields; trailer fields are not among them.
    public let headers: HeaderFields
    /// The content, empty if there is none.
    public internal(set) var body: [UInt8]
    /// Whether the client wants the connection to stay open (RFC 9112 §9.3).
    public let keepsAlive: Bool

    /// A request from its parts, for tests.
    public init(
        method: Method = .get, target: RequestTarget, version: Version = .http11, headers: HeaderFields = .init(),
        body: [UInt8] = [], keepsAlive: Bool = true
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.body = body
        self.keepsAlive = keepsAlive
    }
}

/// The protocol version that a request is read as (RFC 9112 §2.3).
///
/// A minor version above 1 is read as HTTP/1.1, the highest that the parser knows (RFC 9110 §6.2).
public enum Version: Hashable, Sendable, CustomStringConvertible {
    /// HTTP/1.0: no chunked coding, no required Host, and connections close by default.
    case http10
    /// HTTP/1.1.
    case http11

    /// `HTTP/1.0` or `HTTP/1.1`.
    public var description: String { self == .http10 ? "HTTP/1.0" : "HTTP/1.1" }
}
