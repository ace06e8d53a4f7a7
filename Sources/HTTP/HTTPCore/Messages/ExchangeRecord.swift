/// The record of one exchange: a request, its response, the times and the bytes of both.
///
/// The access log, the metrics and the timing fields derive from the record. The record holds no secret: a path is in the
/// record only if the handler put the path into the note.
public struct ExchangeRecord: Sendable {
    /// How an exchange ended.
    public enum Outcome: Hashable, Sendable {
        /// The kernel has taken the last byte of the response.
        case completed
        /// The client closed or reset the connection before that.
        case clientLeft
        /// The server was stopped before that.
        case stopped
        /// The client took too long to send the request or to take the response.
        case timedOut
        /// The server answered in place of the handler, or closed without an answer.
        case refused(Refusal)
    }

    /// The method; nil if the request line was not read.
    public var method: Method?
    /// The version of the request; nil if the request line was not read.
    public var version: Version?
    /// The status of the response; nil if the exchange ended before there was one.
    public var status: Status?
    /// The client: the last hop that is not trusted.
    public var client: ClientAddress?
    /// The note that the handler returned with its response.
    public var note: ExchangeNote
    /// The bytes of the request that arrived, and of the response that the kernel took, heads included.
    public var bytesReceived = 0, bytesSent = 0
    /// When the first byte of the request was read, on CLOCK_MONOTONIC in nanoseconds.
    ///
    /// For a connection that is refused: when it was accepted.
    public var start: UInt64 = 0
    /// When the head was complete, when the response was ready, and when its last byte was sent or the client left, on
    /// the same clock; 0 if the exchange ended before.
    public var headComplete: UInt64 = 0, answered: UInt64 = 0, end: UInt64 = 0
    /// How the exchange ended.
    public var outcome = Outcome.completed

    /// An exchange that has begun at `start`.
    public init(
        start: UInt64, method: Method? = nil, version: Version? = nil, note: consuming ExchangeNote = ExchangeNote()
    ) {
        (self.start, self.method, self.version, self.note) = (start, method, version, note)
    }

    /// The time from the first byte of the request to the last one of the response, in nanoseconds.
    public var duration: UInt64 { end > start ? end - start : 0 }
}

/// The reason for which a server does not pass a request or a connection to its handler.
public enum Refusal: String, CaseIterable, Sendable {
    /// Bytes that are no valid request, or a feature that the server does not have: 400, 417, 501, 505.
    case malformed
    /// The request line is too long: 414.
    case targetTooLong = "target_too_long"
    /// The head is too long, or has too many fields: 431.
    case headTooLarge = "head_too_large"
    /// The head took too long to arrive: 408.
    case requestTimeout = "request_timeout"
    /// Too many connections in total: 503.
    case connectionLimit = "connection_limit"
    /// Too many connections of one client's address: 503.
    case clientConnectionLimit = "client_connection_limit"
    /// A TLS handshake that failed.
    case handshake = "tls_handshake"
    /// The process has no free file descriptor or no memory.
    case exhausted
}

/// A handler's facts about its answer, which the server passes on with the record of the exchange.
public struct ExchangeNote: Sendable {
    // In an order that leaves no gaps: the note is copied with each exchange.

    /// The number of the route that answered; nil without a matching one.
    public var route: UInt16?
    /// How a cache took part; nil without a cache.
    public var cache: CacheResult?
    /// When the document of the answer was fetched, in unix seconds; 0 without one.
    public var fetched: UInt32 = 0
    /// A digest of the document; 0 without one.
    public var digest: UInt64 = 0
    /// Two numbers of the application, inline because answers from a cache have them too.
    public var counts: (Int32, Int32) = (0, 0)
    /// The path as received, for the log; empty if it can hold a secret or was not asked for.
    public var path: ArraySlice<UInt8> = []
    /// The name of the upstream whose document is in the answer.
    public var upstream: String?
    /// The client's `X-Request-Id`, checked; without one the trace's id serves.
    public var requestID: String?
    /// An object of the application; nil for an answer that needs none, as one from a cache.
    public var details: (any AnyObject & Sendable)?
    /// The request's trace and span.
    public var trace: TraceContext?

    /// A note without content.
    public init() {}
}

/// The position of a request in a trace (W3C Trace Context, level 1).
public struct TraceContext: Hashable, Sendable {
    /// The id of the trace, not 0.
    public let traceID: UInt128
    /// The caller's span; 0 if the trace begins here.
    public let parentID: UInt64
    /// The span of this exchange, not 0.
    public let spanID: UInt64
    /// Whether the caller records the trace.
    public let isSampled: Bool

    /// A position in a trace.
    public init(traceID: UInt128, parentID: UInt64 = 0, spanID: UInt64, isSampled: Bool = false) {
        (self.traceID, self.parentID, self.spanID, self.isSampled) = (traceID, parentID, spanID, isSampled)
    }
}
