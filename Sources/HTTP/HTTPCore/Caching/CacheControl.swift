import CivilDates

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
        // The rest of an unterminated string could have been meant as directives.
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

/// The directives of a client for caches: Cache-Control and Pragma of a request (RFC 9111 §5.2.1, §5.4).
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

/// A directive of Cache-Control, of a request or a response (RFC 9111 §5.2).
struct CacheDirective {
    /// The name in lower case.
    let name: String
    /// Whether the directive has an argument, valid or not.
    let hasArgument: Bool
    /// The argument as `delta-seconds` (§1.2.2), quoted or not; nil if it is absent or malformed.
    let seconds: Int?
    /// Whether the argument starts a quoted string and does not end it.
    let isUnterminated: Bool

    init(_ bytes: Span<UInt8>, _ element: Range<Int>) {
        let equals = bytes.firstIndex(of: ASCII.equals, in: element)
        name = bytes.text(bytes.trimmed(element.lowerBound..<(equals ?? element.upperBound))).lowercased()
        hasArgument = equals != nil
        let argument = equals.map { bytes.trimmed($0 + 1..<element.upperBound) } ?? 0..<0
        let opens = argument.first.map { bytes[$0] == ASCII.quote } ?? false
        let isQuoted = opens && argument.count >= 2 && bytes[argument.upperBound - 1] == ASCII.quote
        isUnterminated = opens && !isQuoted
        seconds = bytes.seconds(isQuoted ? argument.lowerBound + 1..<argument.upperBound - 1 : argument)
    }
}

extension HeaderFields {
    /// Calls `body` with each directive in the lines of Cache-Control.
    func forEachDirective(_ body: (CacheDirective) -> Void) {
        for line in lines("Cache-Control") {
            forEachElement(of: line.value) { body(CacheDirective(bytes.span, $0)) }
        }
    }
}

extension Span<UInt8> {
    /// The number that the digits in `range` mean, at most `CacheControl.longest`; nil if there is anything else.
    func seconds(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, end(of: ASCII.isDigit, in: range) == range.upperBound else { return nil }
        return Swift.min(decimal(range, allowsLeadingZeros: true) ?? .max, CacheControl.longest)
    }
}

/// For how long a shared cache may use a response, as its header fields say (RFC 9111 §4.2).
public struct Freshness: Sendable, Equatable {
    /// The seconds for which the response is fresh, from its Date on; nil if no field says so.
    ///
    /// The lifetime is 0 if each use must be validated, and if the field with the lifetime is malformed.
    public let lifetime: Int?
    /// The age of the response in seconds when it arrived.
    public let age: Int
    /// Whether the response may be used beyond its lifetime, without validation, as when the upstream fails.
    public let mayBeStale: Bool
    /// The seconds beyond its lifetime in which it may be used while it is validated; nil if it does not say.
    public let staleWhileRevalidate: Int?
    /// The seconds beyond its lifetime in which it may be used if the upstream fails; nil if it does not say.
    public let staleIfError: Int?

    /// Reads the header fields of a response to a request that was sent at `sent` and arrived at `now`, in unix seconds.
    public init(_ headers: HeaderFields, sent: Int? = nil, now: Int) {
        self.init(headers, CacheControl(headers), sent: sent, now: now)
    }

    init(_ headers: HeaderFields, _ control: CacheControl, sent: Int?, now: Int) {
        let date = headers.date(relativeTo: now)
        let lifetime =
            control.sharedMaximumAge ?? control.maximumAge
            ?? headers["Expires"].map { Self.lifetime(expires: $0, date ?? now, now) }
        self.lifetime = control.requiresValidation ? 0 : lifetime
        // s-maxage forbids it too (§5.2.2.10), except for what the upstream itself says about stale responses.
        let isLimited = control.sharedMaximumAge != nil
        let extends = control.staleWhileRevalidate != nil || control.staleIfError != nil
        mayBeStale = !control.forbidsStale && !control.requiresValidation && (!isLimited || extends)
        let unstated = mayBeStale && !isLimited ? nil : 0
        staleWhileRevalidate = mayBeStale ? control.staleWhileRevalidate ?? unstated : 0
        staleIfError = mayBeStale ? control.staleIfError ?? unstated : 0
        // §4.2.3, but for clocks that differ: more than Age and the transfer explain is no age, or an upstream whose clock
        // is an hour behind would have no fresh document.
        let stated = headers.age + max(0, now - (sent ?? now))
        let apparent = date.map { now - $0 } ?? 0
        age = min(CacheControl.longest, apparent > stated + Self.clockTolerance ? stated : max(apparent, stated))
    }

    /// The seconds by which two clocks may differ without being wrong.
    package static let clockTolerance = 60

    /// Returns the lifetime that Expires gives; 0 if it is in the past or malformed, as `0` is (§5.3).
    private static func lifetime(expires text: String, _ date: Int, _ now: Int) -> Int {
        guard let end = HTTPDate.parse(text, relativeTo: now) else { return 0 }
        return max(0, min(end - date, CacheControl.longest))
    }
}

extension HeaderFields {
    /// The instant in Date, in unix seconds; nil if the field is absent or malformed.
    ///
    /// A year of two digits is the one that is at most 50 years after `now`.
    public func date(relativeTo now: Int) -> Int? { self["Date"].flatMap { HTTPDate.parse($0, relativeTo: now) } }

    /// The seconds by which the clock of the response's server is ahead of the one that read `sent` and `now`; nil without Date.
    ///
    /// Of the instants between request and response, the one that is nearest to Date counts, so that a slow answer is no sign of
    /// a wrong clock; Age tells how long a cache has kept the response.
    package func clockOffset(sent: Int, now: Int) -> Int? {
        date(relativeTo: now).map { date in
            let time = date + age
            return time - min(max(time, sent), max(sent, now))
        }
    }

    /// The instant in Last-Modified, in unix seconds; nil if the field is absent or malformed.
    func lastModified(relativeTo now: Int) -> Int? {
        self["Last-Modified"].flatMap { HTTPDate.parse($0, relativeTo: now) }
    }

    /// The seconds in Age, of which the first element counts; 0 if the field is absent or malformed (RFC 9111 §5.1).
    package var age: Int {
        guard let line = lines("Age").first else { return 0 }
        var first: Range<Int>?
        forEachElement(of: line.value) { first = first ?? $0 }
        return first.flatMap { bytes.span.seconds($0) } ?? 0
    }
}
