/// The directives of a response that matter for a shared cache: Cache-Control (RFC 9111 §5.2.2, RFC 5861).
///
/// Of a directive that occurs twice the first one counts (§4.2.1). An argument may be a quoted string (§5.2).
public struct CacheControl: Sendable, Equatable {
    /// A number of seconds above this one means this one (§1.2.2).
    public static let longest = 1 << 31

    /// `no-store`.
    public private(set) var forbidsStoring = false
    /// `private`, with the names of fields or without.
    public private(set) var isPrivate = false
    /// `public`.
    public private(set) var isPublic = false
    /// `must-understand`: only a cache that knows the rules of the status may store the response, `no-store` or not.
    public private(set) var requiresUnderstanding = false
    /// `no-cache`, with the names of fields or without.
    public private(set) var requiresValidation = false
    /// `must-revalidate` or `proxy-revalidate`.
    public private(set) var forbidsStale = false
    /// A directive that lets a shared cache store the response to a request with Authorization (§3.5).
    public private(set) var allowsAuthorization = false
    /// The seconds of `max-age`; 0 if they are malformed (§4.2.1).
    public private(set) var maximumAge: Int?
    /// The seconds of `s-maxage`; 0 if they are malformed.
    public private(set) var sharedMaximumAge: Int?
    /// The seconds of `stale-while-revalidate` (RFC 5861 §3).
    public private(set) var staleWhileRevalidate: Int?
    /// The seconds of `stale-if-error` (RFC 5861 §4).
    public private(set) var staleIfError: Int?

    /// Reads all lines of the field.
    public init(_ headers: HeaderFields) {
        headers.forEachDirective { take($0) }
    }

    private mutating func take(_ directive: CacheDirective) {
        // What follows a quote without an end is part of the string, and could have been meant as directives.
        if directive.isUnterminated { (forbidsStoring, isPrivate) = (true, true) }
        let seconds = directive.seconds ?? 0
        switch directive.name {
        case "no-store": forbidsStoring = true
        case "private": isPrivate = true
        case "public": (isPublic, allowsAuthorization) = (true, true)
        case "must-understand": requiresUnderstanding = true
        case "no-cache": requiresValidation = true
        case "must-revalidate": (forbidsStale, allowsAuthorization) = (true, true)
        case "proxy-revalidate": forbidsStale = true
        case "max-age": maximumAge = maximumAge ?? seconds
        case "s-maxage": (sharedMaximumAge, allowsAuthorization) = (sharedMaximumAge ?? seconds, true)
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? seconds
        case "stale-if-error": staleIfError = staleIfError ?? seconds
        default: break
        }
    }
}
