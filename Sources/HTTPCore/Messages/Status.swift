/// A response status code (RFC 9110 §15).
public struct Status: Hashable, Sendable {
    /// The code, 100...599.
    public let code: Int

    /// The status with this code; what lies outside 100...599 counts as 500 (RFC 9110 §15).
    public init(_ code: Int) {
        self.code = (100...599).contains(code) ? code : 500
    }

    /// Whether a response with this status never has content: 1xx, 204 and 304 (RFC 9110 §6.4.1).
    public var forbidsContent: Bool {
        code < 200 || code == 204 || code == 304
    }
}

extension Status {
    /// 100, the client may send its content.
    public static let `continue` = Status(100)
    /// 200.
    public static let ok = Status(200)
    /// 201.
    public static let created = Status(201)
    /// 202.
    public static let accepted = Status(202)
    /// 204, without content.
    public static let noContent = Status(204)
    /// 301.
    public static let movedPermanently = Status(301)
    /// 302.
    public static let found = Status(302)
    /// 304, the client's copy is current.
    public static let notModified = Status(304)
    /// 307.
    public static let temporaryRedirect = Status(307)
    /// 308.
    public static let permanentRedirect = Status(308)
    /// 400.
    public static let badRequest = Status(400)
    /// 401.
    public static let unauthorized = Status(401)
    /// 403.
    public static let forbidden = Status(403)
    /// 404.
    public static let notFound = Status(404)
    /// 405, to be sent with Allow.
    public static let methodNotAllowed = Status(405)
    /// 406.
    public static let notAcceptable = Status(406)
    /// 408, the request did not arrive in time.
    public static let requestTimeout = Status(408)
    /// 409.
    public static let conflict = Status(409)
    /// 412.
    public static let preconditionFailed = Status(412)
    /// 413, the body is over its limit.
    public static let contentTooLarge = Status(413)
    /// 414, the request target is over its limit.
    public static let uriTooLong = Status(414)
    /// 415.
    public static let unsupportedMediaType = Status(415)
    /// 417, an `Expect` other than `100-continue`.
    public static let expectationFailed = Status(417)
    /// 422.
    public static let unprocessableContent = Status(422)
    /// 429.
    public static let tooManyRequests = Status(429)
    /// 431, the head is over its limit (RFC 6585 §5).
    public static let headerFieldsTooLarge = Status(431)
    /// 500.
    public static let internalServerError = Status(500)
    /// 501.
    public static let notImplemented = Status(501)
    /// 502, the upstream answered wrongly.
    public static let badGateway = Status(502)
    /// 503, to be sent with Retry-After.
    public static let serviceUnavailable = Status(503)
    /// 504, the upstream was too slow.
    public static let gatewayTimeout = Status(504)
    /// 505.
    public static let httpVersionNotSupported = Status(505)
}
