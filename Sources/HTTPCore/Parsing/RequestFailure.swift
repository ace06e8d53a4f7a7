/// Why bytes are not a request this server reads; the connection closes after the answer.
///
/// What could be read in two ways is refused rather than repaired, because a proxy in front may have read it the other
/// way (RFC 9112 §11.2).
public struct RequestFailure: Error, Hashable, Sendable {
    /// The status to answer with: 400, 413, 414, 417, 431, 501 or 505.
    public let status: Status
    /// One sentence naming what is wrong, with at most 40 escaped characters of the input.
    public let detail: String

    /// A failure to answer with `status`.
    public init(status: Status, detail: String) {
        self.status = status
        self.detail = detail
    }

    static func badRequest(_ detail: String) -> RequestFailure {
        RequestFailure(status: .badRequest, detail: detail)
    }
}
