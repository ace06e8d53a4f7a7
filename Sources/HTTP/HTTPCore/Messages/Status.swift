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
    /// 200 OK.
    public static let ok = Status(200)
    /// 204 No Content.
    public static let noContent = Status(204)
    /// 304 Not Modified: the client's copy is current.
    public static let notModified = Status(304)
    /// 400 Bad Request.
    public static let badRequest = Status(400)
    /// 403 Forbidden.
    public static let forbidden = Status(403)
    /// 404 Not Found.
    public static let notFound = Status(404)
    /// 405 Method Not Allowed: requires Allow (RFC 9110 §15.5.6).
    public static let methodNotAllowed = Status(405)
    /// 408 Request Timeout: the request did not arrive in time.
    public static let requestTimeout = Status(408)
    /// 414 URI Too Long: the request target is over its limit.
    public static let uriTooLong = Status(414)
    /// 417 Expectation Failed: an `Expect` other than `100-continue`.
    public static let expectationFailed = Status(417)
    /// 429 Too Many Requests.
    public static let tooManyRequests = Status(429)
    /// 431 Request Header Fields Too Large: the head is over its limit (RFC 6585 §5).
    public static let headerFieldsTooLarge = Status(431)
    /// 501 Not Implemented.
    public static let notImplemented = Status(501)
    /// 502 Bad Gateway: the upstream's response is unusable.
    public static let badGateway = Status(502)
    /// 503 Service Unavailable: sent with Retry-After.
    public static let serviceUnavailable = Status(503)
    /// 504 Gateway Timeout: the upstream was too slow.
    public static let gatewayTimeout = Status(504)
    /// 505 HTTP Version Not Supported.
    public static let httpVersionNotSupported = Status(505)
}
