/// A response status code (RFC 9110 §15).
public struct Status: Hashable, Sendable {
    /// The code, 100...599.
    public let code: Int

    /// The status with this code; a code outside 100...599 becomes 500 (RFC 9110 §15).
    public init(_ code: Int) {
        self.code = (100...599).contains(code) ? code : 500
    }

    /// Whether a response with this status never has content: 1xx, 204 and 304 (RFC 9110 §6.4.1).
    public var forbidsContent: Bool { code < 200 || code == 204 || code == 304 }

    /// The registered reason phrase, such as `Not Found`; for codes that Weir does not send itself, the name of the class.
    public var reasonPhrase: String {
        switch code {
        case 200: "OK"
        case 204: "No Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 402: "Payment Required"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 406: "Not Acceptable"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 410: "Gone"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 421: "Misdirected Request"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 502: "Bad Gateway"
        case 503: "Service Unavailable"
        case 504: "Gateway Timeout"
        case 505: "HTTP Version Not Supported"
        case ..<200: "Informational"
        case ..<300: "Success"
        case ..<400: "Redirection"
        case ..<500: "Client Error"
        default: "Server Error"
        }
    }
}

extension Status {
    /// Success, and a copy of the client's that is current (RFC 9110 §15.3, §15.4).
    public static let ok = Status(200), noContent = Status(204), notModified = Status(304)
    /// Errors of a request (§15.5).
    public static let badRequest = Status(400), forbidden = Status(403), notFound = Status(404)
    /// Errors of its method, its time and its target; a 405 requires Allow.
    public static let methodNotAllowed = Status(405), requestTimeout = Status(408), uriTooLong = Status(414)
    /// Errors of its Expect and its host, of the client's rate, and of its head (RFC 6585).
    public static let expectationFailed = Status(417), misdirectedRequest = Status(421), tooManyRequests = Status(429)
    /// A head with too many fields, or with one that is too long (RFC 6585).
    public static let headerFieldsTooLarge = Status(431)
    /// Errors of the server and of upstreams (§15.6); a 503 is sent with Retry-After.
    public static let notImplemented = Status(501), badGateway = Status(502), serviceUnavailable = Status(503)
    /// An upstream that was too slow, and a version that the server does not speak.
    public static let gatewayTimeout = Status(504), httpVersionNotSupported = Status(505)
}
