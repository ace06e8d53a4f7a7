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
    /// `no-cache`, with the names of fields or without.
    public private(set) var requiresValidation = false
    /// `must-revalidate` or `proxy-revalidate`.
    public private(set) var forbidsStale = false
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
        for line in headers.lines("Cache-Control") {
            headers.forEachElement(of: line.value) { take(headers.bytes, $0) }
        }
    }

    private mutating func take(_ bytes: [UInt8], _ element: Range<Int>) {
        let equals = bytes.span.firstIndex(of: ASCII.equals, in: element)
        let name = bytes.span.trimmed(element.lowerBound..<(equals ?? element.upperBound))
        let argument = equals.map { bytes.span.trimmed($0 + 1..<element.upperBound) }
        // What follows a quote without an end is part of the string, and could have been meant as directives.
        if let argument, bytes.span.isUnterminated(argument) { forbidsStoring = true }
        func seconds() -> Int { Self.seconds(bytes.span, argument) ?? 0 }
        switch bytes.text(name).lowercased() {
        case "no-store": forbidsStoring = true
        case "private": isPrivate = true
        case "no-cache": requiresValidation = true
        case "must-revalidate", "proxy-revalidate": forbidsStale = true
        case "max-age": maximumAge = maximumAge ?? seconds()
        case "s-maxage": sharedMaximumAge = sharedMaximumAge ?? seconds()
        case "stale-while-revalidate": staleWhileRevalidate = staleWhileRevalidate ?? seconds()
        case "stale-if-error": staleIfError = staleIfError ?? seconds()
        default: break
        }
    }

    /// Reads `delta-seconds` (§1.2.2), quoted or not.
    private static func seconds(_ bytes: Span<UInt8>, _ argument: Range<Int>?) -> Int? {
        guard var digits = argument else { return nil }
        if digits.count >= 2, bytes[digits.lowerBound] == ASCII.quote, bytes[digits.upperBound - 1] == ASCII.quote {
            digits = digits.lowerBound + 1..<digits.upperBound - 1
        }
        return bytes.seconds(digits)
    }
}

extension Span<UInt8> {
    /// Whether `range` starts a quoted string and does not end it.
    fileprivate func isUnterminated(_ range: Range<Int>) -> Bool {
        guard let first = range.first, self[first] == ASCII.quote else { return false }
        return range.count == 1 || self[range.upperBound - 1] != ASCII.quote
    }

    /// The number that the digits in `range` mean, at most `CacheControl.longest`; nil if there is anything else.
    func seconds(_ range: Range<Int>) -> Int? {
        guard !range.isEmpty, end(of: ASCII.isDigit, in: range) == range.upperBound else { return nil }
        var seconds = 0
        for index in range { seconds = Swift.min(seconds * 10 + Int(self[index] - ASCII.zero), CacheControl.longest) }
        return seconds
    }
}
