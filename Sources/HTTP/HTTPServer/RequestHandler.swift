public import EventLoop
public import HTTPCore

/// The application behind a listener of a server.
///
/// Called on the shard of the connection, which waits for it: return anything slow as `Reply.later`.
public protocol RequestHandler: Sendable {
    /// Returns the reply to a request; one with a body is answered without it, and the connection closes.
    func reply(to request: Request, from source: RequestSource, on shard: Shard) -> Reply
    /// Returns the response to an invalid request, to one that took too long, or to a connection beyond the limit.
    ///
    /// `request` holds the parts that were read.
    func refusal(of failure: RequestFailure, to request: RefusedRequest, on shard: Shard) -> Response
    /// Whether `request` is answered although the maximum of connections is reached, as health and metrics are.
    func isReserved(_ request: Request, on shard: Shard) -> Bool
    /// Takes the record of an exchange, when the last byte of its response is sent or the client has left.
    ///
    /// Called once for each `reply` and once for each refused request or connection, on the connection's shard.
    func finished(_ exchange: ExchangeRecord, on shard: Shard)
    /// Notes that `change` more connections are open on `shard`: 1 or -1, refused ones included.
    func connectionsChanged(by change: Int, on shard: Shard)
}

extension RequestHandler {
    /// Reserves nothing.
    public func isReserved(_ request: Request, on shard: Shard) -> Bool { false }
    /// Drops the record.
    public func finished(_ exchange: ExchangeRecord, on shard: Shard) {}
    /// Ignores the change.
    public func connectionsChanged(by change: Int, on shard: Shard) {}
}

/// A response, or the work that makes one.
public enum Reply: Sendable {
    /// The response is ready.
    case now(Response)
    /// The response needs time. The work runs on the connection's shard and is cancelled if the client leaves, or if it
    /// closes only its sending side and `ServerOptions.allowsHalfClose` is false.
    ///
    /// Then `note` is in the record of the exchange, because there is no response.
    case later(@Sendable () async -> Response, note: ExchangeNote = ExchangeNote())
    /// The body, in place of the response's own, is sent while it is made: each call of `next` returns a piece, or nil at
    /// the end, which also ends the connection.
    ///
    /// A call follows when the client has taken the piece before. The calls run on the connection's shard, in a task that
    /// is cancelled if the client leaves. A client that takes nothing for `ServerOptions.writeTimeout` is cut.
    case streamed(Response, next: @Sendable () async -> [UInt8]?)
}
