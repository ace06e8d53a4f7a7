public import HTTPCore

/// The moments of a try on the monotonic clock, in nanoseconds; 0 for those that have not come.
public struct TryMoments: Sendable {
    /// When the try began, and when quota and queue had admitted it.
    public var start: UInt64 = 0, admitted: UInt64 = 0
    /// When the transfer began, when it had a connection, and when the response was there or had failed.
    public var sent: UInt64 = 0, connected: UInt64 = 0, received: UInt64 = 0
    /// When the document was read, and when the try ended.
    public var read: UInt64 = 0, end: UInt64 = 0

    /// No moment yet.
    public init() {}
}

/// What the span of a try tells beyond the log.
public final class TrySpan: Sendable {
    /// The place of the try in the trace, below the request that it was made for.
    public let position: TraceContext
    /// The method of the request, and the server that it goes to.
    public let method: String, host: String, port: Int
    /// The moments of the try.
    public let moments: TryMoments
    /// The status of the response; nil without one.
    public let status: Int?
    /// The reason for which the try failed, as metrics have it; nil if it did not.
    public let errorType: String?

    /// The span of a try.
    public init(
        _ position: TraceContext, method: String, host: String, port: Int, _ moments: TryMoments, status: Int?,
        errorType: String?
    ) {
        (self.position, self.method, self.host, self.port) = (position, method, host, port)
        (self.moments, self.status, self.errorType) = (moments, status, errorType)
    }
}

extension TrySpan {
    /// Returns the phases of the try, each with its name, its start and its end.
    func phases(onUsedConnection isReused: Bool) -> [(name: String, start: UInt64, end: UInt64)] {
        [
            ("queue", moments.start, moments.admitted),
            ("connect", isReused ? 0 : moments.sent, moments.connected > 0 ? moments.connected : moments.received),
            ("transfer", isReused ? moments.sent : moments.connected, moments.received),
            ("read", status == nil ? 0 : moments.received, moments.read > 0 ? moments.read : moments.end),
            ("shape", moments.read, moments.end),
        ].filter { $0.1 > 0 && $0.1 <= $0.2 }
    }
}
