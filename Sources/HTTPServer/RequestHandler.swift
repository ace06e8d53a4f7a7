public import EventLoop
public import HTTPCore

/// What answers requests.
///
/// Called on the shard of the connection, which waits for it: anything slow belongs into `Reply.later`.
public protocol RequestHandler: Sendable {
    /// The answer to a request.
    func reply(to request: Request, on shard: Shard) -> Reply
    /// The answer to bytes that are no request, to one that took too long, or to one too many.
    func refusal(of failure: RequestFailure) -> Response
}

/// An answer, or the work that will lead to it.
public enum Reply: Sendable {
    /// The answer is here.
    case now(Response)
    /// The answer takes a while. The work runs on the connection's shard and is cancelled when the connection breaks; a
    /// client that has only finished sending still waits for its answer.
    case later(@Sendable () async -> Response)
}
