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
