/// The protocol version a request is read as (RFC 9112 §2.3).
///
/// A minor version above 1 is read as HTTP/1.1, the highest this parser knows (RFC 9110 §6.2).
public enum Version: Hashable, Sendable {
    /// HTTP/1.0: no chunked coding, no Host required, closes unless asked to stay.
    case http10
    /// HTTP/1.1.
    case http11
}

extension Version: CustomStringConvertible {
    /// `HTTP/1.0` or `HTTP/1.1`.
    public var description: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        }
    }
}
