/// A request method: a case-sensitive token (RFC 9110 §9.1).
///
/// The eight methods of RFC 9110 and PATCH cost no allocation to parse, compare or hash; any other token is kept as it
/// came, so that a router can answer 405 or 501 and a log can name it.
public struct Method: Hashable, Sendable {
    private enum Name: Hashable, Sendable {
        case get, head, post, put, delete, options, patch, trace, connect
        case other(String)
    }

    private let name: Name

    /// `GET`, RFC 9110 §9.3.1.
    public static let get = Method(name: .get)
    /// `HEAD`, RFC 9110 §9.3.2.
    public static let head = Method(name: .head)
    /// `POST`, RFC 9110 §9.3.3.
    public static let post = Method(name: .post)
    /// `PUT`, RFC 9110 §9.3.4.
    public static let put = Method(name: .put)
    /// `DELETE`, RFC 9110 §9.3.5.
    public static let delete = Method(name: .delete)
    /// `OPTIONS`, RFC 9110 §9.3.7.
    public static let options = Method(name: .options)
    /// `PATCH`, RFC 5789.
    public static let patch = Method(name: .patch)
    /// `TRACE`, RFC 9110 §9.3.8.
    public static let trace = Method(name: .trace)
    /// `CONNECT`, RFC 9110 §9.3.6.
    public static let connect = Method(name: .connect)

    private init(name: Name) {
        self.name = name
    }

    /// The method that `rawValue` names, letter case as given.
    public init(_ rawValue: String) {
        switch rawValue {
        case "GET": name = .get
        case "HEAD": name = .head
        case "POST": name = .post
        case "PUT": name = .put
        case "DELETE": name = .delete
        case "OPTIONS": name = .options
        case "PATCH": name = .patch
        case "TRACE": name = .trace
        case "CONNECT": name = .connect
        default: name = .other(rawValue)
        }
    }

    /// The method named by the bytes of `range`, which are known to be a token.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let start = range.lowerBound
        if range.count == 3, bytes[start] == UInt8(ascii: "G"), bytes[start + 1] == UInt8(ascii: "E"),
            bytes[start + 2] == UInt8(ascii: "T")
        {
            self = .get
            return
        }
        // Longest known name: 7 bytes, so the String is inline and nothing is allocated.
        var text = ""
        for index in range { text.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        self.init(text)
    }

    /// The token as it stands in a request line, such as `GET`.
    public var rawValue: String {
        switch name {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .patch: "PATCH"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        case .other(let token): token
        }
    }
}

extension Method: CustomStringConvertible {
    /// The token.
    public var description: String { rawValue }
}
