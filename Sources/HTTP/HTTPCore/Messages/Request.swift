/// A request, whose body is not read.
public struct Request: Sendable {
    /// The method.
    public let method: Method
    /// The path and the query.
    public let target: RequestTarget
    /// The version that the request is read as.
    public let version: Version
    /// The header fields.
    public let headers: HeaderFields
    /// Whether a body follows the head: a Content-Length above 0, or the chunked coding.
    public let hasBody: Bool
    /// Whether the client wants the connection to stay open (RFC 9112 §9.3).
    public let keepsAlive: Bool

    /// A request from its parts, for tests.
    public init(
        method: Method = .get, target: RequestTarget, version: Version = .http11, headers: HeaderFields = .init(),
        hasBody: Bool = false, keepsAlive: Bool = true
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.hasBody = hasBody
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

/// A request method: a case-sensitive token (RFC 9110 §9.1).
///
/// Unknown tokens are kept, so a router can answer 405 or 501 and a log can name the method.
public struct Method: Hashable, Sendable, CustomStringConvertible {
    /// The token in the request line, such as `GET`.
    public let rawValue: String

    /// `GET`, RFC 9110 §9.3.1.
    public static let get = Method("GET")
    /// `HEAD`, RFC 9110 §9.3.2.
    public static let head = Method("HEAD")
    /// `POST`, RFC 9110 §9.3.3.
    public static let post = Method("POST")
    /// `PUT`, RFC 9110 §9.3.4.
    public static let put = Method("PUT")
    /// `DELETE`, RFC 9110 §9.3.5.
    public static let delete = Method("DELETE")
    /// `CONNECT`, RFC 9110 §9.3.6.
    public static let connect = Method("CONNECT")
    /// `OPTIONS`, RFC 9110 §9.3.7.
    public static let options = Method("OPTIONS")
    /// `TRACE`, RFC 9110 §9.3.8.
    public static let trace = Method("TRACE")
    /// `PATCH`, RFC 5789.
    public static let patch = Method("PATCH")

    /// The method with the token `rawValue`, in the given letter case.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The token.
    public var description: String { rawValue }
}
