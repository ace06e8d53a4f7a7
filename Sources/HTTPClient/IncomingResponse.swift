public import HTTPCore

/// An upstream's response, whatever its status.
public struct IncomingResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The header fields of the final response; trailer fields are not among them.
    public let headers: HeaderFields
    /// The body, with its content coding decoded.
    public let body: [UInt8]

    /// A response from its parts, for tests.
    public init(status: Int = 200, headers: HeaderFields = HeaderFields(), body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
