/// A complete request, its body decoded from its transfer coding.
public struct Request: Sendable {
    /// The method.
    public let method: Method
    /// Path and query.
    public let target: RequestTarget
    /// The version it is read as.
    public let version: Version
    /// The header fields; trailer fields are not among them.
    public let headers: HeaderFields
    /// The content, empty when there is none.
    public let body: [UInt8]
    /// Whether the client wants the connection to stay open (RFC 9112 §9.3).
    public let keepsAlive: Bool

    /// A request made by hand, as for a test.
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

    init(_ head: RequestHead, body: [UInt8]) {
        self.init(
            method: head.method, target: head.target, version: head.version, headers: head.headers,
            body: body, keepsAlive: head.framing.keepsAlive)
    }
}
