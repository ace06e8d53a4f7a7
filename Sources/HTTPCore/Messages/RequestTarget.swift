/// What a request is for: a path and a query (RFC 9112 §3.2).
///
/// Comes from origin-form (`/a?b`), absolute-form (`http://host/a?b`, the authority is dropped) or, for OPTIONS, `*`.
/// Segments `.` and `..` stay as they are.
public struct RequestTarget: Sendable {
    /// The percent-decoded path: UTF-8 without NUL that starts with `/`, or `*`.
    ///
    /// An escaped slash (`%2F`) reads as a slash here; `rawPath` tells the two apart.
    public let path: String
    /// The pairs after the first `?`.
    public let query: Query

    private let rawPathRange: Range<Int>

    init(_ bytes: [UInt8], _ bounds: TargetBounds, maximumParameters: Int) throws(RequestFailure) {
        let span = bytes.span
        rawPathRange = bounds.path
        if bounds.path.isEmpty {
            path = "/"
        } else if !bounds.hasEscapes {
            path = bytes.text(bounds.path)
        } else if let decoded = PercentCoding.decode(span.extracting(bounds.path)) {
            path = decoded
        } else {
            throw .badRequest("The path does not decode to UTF-8 text.")
        }
        query = try Query(bytes, bounds, maximumParameters: maximumParameters)
    }

    /// The target written as `text`, such as `/weather?lat=37.8`.
    ///
    /// - Throws: `RequestFailure` with status 400 when no request could have it.
    public init(_ text: String) throws(RequestFailure) {
        let bytes = Array(text.utf8)
        let method: Method = text == "*" ? .options : .get
        let scan = try TargetScan(bytes.span, 0..<bytes.count)
        guard scan.range.count == bytes.count else {
            throw .badRequest("The request target has a space.")
        }
        let bounds = try TargetBounds(bytes.span, scan, method: method)
        try self.init(bytes, bounds, maximumParameters: .max)
    }

    /// The path as it came, escapes kept.
    public var rawPath: String {
        rawPathRange.isEmpty ? "/" : query.bytes.text(rawPathRange)
    }

    /// The path and the query with its `?` as they came, without an authority; costs no allocation.
    ///
    /// Without a path (`http://host?a`) the bytes start at the `?`.
    public var rawBytes: ArraySlice<UInt8> {
        query.bytes[rawPathRange.lowerBound..<query.range.upperBound]
    }
}
