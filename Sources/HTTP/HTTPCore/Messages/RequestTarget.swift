/// The target of a request: a path and a query (RFC 9112 §3.2).
///
/// Its form is origin-form (`/a?b`), absolute-form (`http://host/a?b`, the authority is dropped) or, for OPTIONS, `*`.
/// Segments `.` and `..` are kept; the router refuses them.
public struct RequestTarget: Sendable {
    /// The percent-decoded path: UTF-8 without NUL that starts with `/`, or `*`.
    ///
    /// An escaped slash (`%2F`) becomes a slash here; use `rawPath` to distinguish the two.
    ///
    /// Made at each access.
    public var path: String {
        if rawPathRange.isEmpty { return "/" }
        return PercentCoding.decode(query.bytes.span.extracting(rawPathRange)) ?? rawPath
    }
    /// The pairs after the first `?`.
    public let query: Query

    private let rawPathRange: Range<Int>

    init(
        _ bytes: [UInt8], _ target: TargetScan, path range: Range<Int>, maximumParameters: Int
    ) throws(RequestFailure) {
        rawPathRange = range
        guard !target.hasEscapes || PercentCoding.decode(bytes.span.extracting(range)) != nil else {
            throw .badRequest("The path does not decode to UTF-8 text.")
        }
        query = try Query(bytes, target, maximumParameters: maximumParameters)
    }

    /// The target written as `text`, such as `/weather?lat=37.8`.
    ///
    /// - Throws: `RequestFailure` with status 400 if `text` is not a valid target.
    public init(_ text: String) throws(RequestFailure) {
        let bytes = Array(text.utf8)
        let target = try TargetScan(bytes.span, 0..<bytes.count)
        guard target.range.count == bytes.count else { throw .badRequest("The request target contains a space.") }
        let path = try target.path(bytes.span, text == "*" ? .options : .get)
        try self.init(bytes, target, path: path, maximumParameters: .max)
    }

    /// The path as received, escapes kept.
    public var rawPath: String { rawPathRange.isEmpty ? "/" : query.bytes.text(rawPathRange) }

    /// The bytes of `rawPath`; does not allocate.
    public var rawPathBytes: ArraySlice<UInt8> { rawPathRange.isEmpty ? [ASCII.slash] : query.bytes[rawPathRange] }

    /// The path and the query with its `?` as received, without an authority; does not allocate.
    ///
    /// Without a path (`http://host?a`) the bytes start at the `?`.
    public var rawBytes: ArraySlice<UInt8> { query.bytes[rawPathRange.lowerBound..<query.range.upperBound] }
}

/// The result of one scan of a request target: its range and its delimiters; an illegal byte is an error.
struct TargetScan: Sendable {
    /// The target up to the space after it, or to the end of the line.
    let range: Range<Int>
    private(set) var hasEscapes = false
    /// The number of `&` in the target, so the query has at most one pair more.
    private(set) var ampersands = 0
    private var questionMark: Int?

    init(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestFailure) {
        var index = line.lowerBound
        while index < line.upperBound, bytes[index] != ASCII.space {
            let byte = bytes[index]
            // A number sign would start a fragment, which a target does not have (RFC 9112 §3.2).
            guard ASCII.isVisible(byte), byte != ASCII.numberSign else {
                // Errors do not repeat the target, because it can contain a key.
                let character = bytes.excerpt(index..<index + 1)
                throw .badRequest("The request target has the unescaped illegal character \"\(character)\".")
            }
            switch byte {
            case ASCII.percent: hasEscapes = true
            case ASCII.ampersand: ampersands += 1
            case ASCII.questionMark where questionMark == nil: questionMark = index
            default: break
            }
            index += 1
        }
        range = line.lowerBound..<index
    }

    /// The query without its `?`, empty if there is none.
    var query: Range<Int> { (questionMark.map { $0 + 1 } ?? range.upperBound)..<range.upperBound }

    /// Returns the path, which is empty in an absolute-form target that has none.
    ///
    /// - Throws: 400 if the target has none of the forms of RFC 9112 §3.2 that `method` allows.
    func path(_ bytes: Span<UInt8>, _ method: Method) throws(RequestFailure) -> Range<Int> {
        let part = range.lowerBound..<(questionMark ?? range.upperBound)
        if let first = part.first, bytes[first] == ASCII.slash { return part }
        if method == .options, bytes.equals(range, "*") { return part }
        for scheme in ["http://", "https://"] where scheme.utf8.count < part.count {
            let schemeEnd = part.lowerBound + scheme.utf8.count
            guard bytes.matches(part.lowerBound..<schemeEnd, scheme) else { continue }
            let slash = bytes.firstIndex(of: ASCII.slash, in: schemeEnd..<part.upperBound) ?? part.upperBound
            let hasHost = schemeEnd < slash && bytes[schemeEnd] != ASCII.colon
            guard hasHost, Authority.isValid(bytes, schemeEnd..<slash) else { break }
            return slash..<part.upperBound
        }
        throw .badRequest("The request target is neither a path nor an http URI.")
    }
}

/// `uri-host [ ":" port ]`, as in Host (RFC 9110 §7.2) and in absolute-form targets; user information is not allowed.
enum Authority {
    /// Whether the bytes of `range` are a name or an IP literal with an optional port; they may be empty.
    static func isValid(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard let hostEnd = hostEnd(bytes, range) else { return false }
        if hostEnd == range.upperBound { return true }
        let port = hostEnd + 1..<range.upperBound
        return bytes[hostEnd] == ASCII.colon && port.count <= 5
            && bytes.end(of: ASCII.isDigit, in: port) == port.upperBound
    }

    /// The end of the host, or nil if an IP literal is malformed.
    private static func hostEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let first = range.first, bytes[first] == UInt8(ascii: "[") else {
            return bytes.end(of: isRegisteredNameCharacter, in: range)
        }
        // An IPv6 address is checked for its characters only.
        let end = bytes.end(
            of: { $0 == ASCII.colon || $0 == UInt8(ascii: ".") || ASCII.hexValue($0) != nil },
            in: first + 1..<range.upperBound)
        guard end > first + 1, end < range.upperBound, bytes[end] == UInt8(ascii: "]") else { return nil }
        return end + 1
    }

    /// `reg-name` of RFC 3986 §3.2.2 without the comma, which could join two Host values.
    private static func isRegisteredNameCharacter(_ byte: UInt8) -> Bool {
        ASCII.isUnreserved(byte) || byte == ASCII.percent || ASCII.isSubDelimiter(byte) && byte != ASCII.comma
    }
}

/// The segments `.` and `..`, which a URL's normalization removes together with others (RFC 3986 §5.2.4).
public enum DotSegments {
    /// Whether a decoded path has one; some servers take a backslash for a slash.
    public static func arePresent(in path: String) -> Bool {
        /// The number of dots in the current segment; nil if it has other characters.
        var dots: Int? = 0
        for byte in path.utf8 {
            switch Unicode.Scalar(byte) {
            case "/", "\\":
                if dots == 1 || dots == 2 { return true }
                dots = 0
            case ".": dots = dots.map { $0 + 1 }
            default: dots = nil
            }
        }
        return dots == 1 || dots == 2
    }
}
