/// What a client asks of caches: Cache-Control and Pragma of a request (RFC 9111 §5.2.1, §5.4).
///
/// Of a directive that occurs twice the first one counts; one with a malformed argument is ignored.
public struct ClientDirectives: Sendable, Equatable {
    /// A client that asks for nothing.
    public static let none = ClientDirectives()

    /// `no-cache`: a stored response must be validated first.
    public private(set) var requiresValidation = false
    /// `no-store`: the response must not be stored; one that is stored already may be used (§5.2.1.5).
    public private(set) var forbidsStoring = false
    /// `only-if-cached`: without a usable stored response the answer is 504 (§5.2.1.7).
    public private(set) var isOnlyIfCached = false
    /// The seconds of `max-age`, the greatest age that the client accepts.
    public private(set) var maximumAge: Int?
    /// The seconds of `min-fresh`, for which the response must still be fresh.
    public private(set) var minimumFresh: Int?
    /// The seconds of `max-stale` beyond the lifetime that the client accepts; without an argument any number.
    public private(set) var maximumStale: Int?

    private init() {}

    /// Reads the fields of a request.
    public init(_ headers: HeaderFields) {
        headers.forEachDirective { take($0) }
        if headers.bytes("Cache-Control") == nil { requiresValidation = headers.contains("no-cache", in: "Pragma") }
    }

    private mutating func take(_ directive: CacheDirective) {
        switch directive.name {
        case "no-cache": requiresValidation = true
        case "no-store": forbidsStoring = true
        case "only-if-cached": isOnlyIfCached = true
        case "max-age": maximumAge = maximumAge ?? directive.seconds
        case "min-fresh": minimumFresh = minimumFresh ?? directive.seconds
        case "max-stale":
            maximumStale = maximumStale ?? (directive.hasArgument ? directive.seconds : CacheControl.longest)
        default: break
        }
    }
}
