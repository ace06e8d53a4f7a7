/// A request, whose body is not read.
public struct Request: Sendable {
    /// The method.
    public let method: Method
    /// The path and the query.
    public let target: RequestTarget
    /// The version that the request is read as.
    public let version: Version
    /// The header fields.
    public let headers: HeaderFields
    /// Whether a body follows the head: a Content-Length above 0, or the chunked coding.
    public let hasBody: Bool
    /// Whether the client wants the connection to stay open (RFC 9112 §9.3).
    public let keepsAlive: Bool

    /// A request from its parts, for tests.
    public init(
        method: Method = .get, target: RequestTarget, version: Version = .http11, headers: HeaderFields = .init(),
        hasBody: Bool = false, keepsAlive: Bool = true
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.headers = headers
        self.hasBody = hasBody
        self.keepsAlive = keepsAlive
    }
}

/// The protocol version that a request is read as (RFC 9112 §2.3).
///
/// A minor version above 1 is read as HTTP/1.1, the highest that the parser knows (RFC 9110 §6.2).
public enum Version: Hashable, Sendable, CustomStringConvertible {
    /// HTTP/1.0: no chunked coding, no required Host, and connections close by default.
    case http10
    /// HTTP/1.1.
    case http11

    /// `HTTP/1.0` or `HTTP/1.1`.
    public var description: String { self == .http10 ? "HTTP/1.0" : "HTTP/1.1" }
}

/// A request method: a case-sensitive token (RFC 9110 §9.1).
///
/// Unknown tokens are kept, so a router can answer 405 or 501 and a log can name the method.
public struct Method: Hashable, Sendable, CustomStringConvertible {
    /// The token in the request line, such as `GET`.
    public let rawValue: String

    /// The methods that transfer a representation (RFC 9110 §9.3.1 to §9.3.4).
    public static let get = Method("GET"), head = Method("HEAD"), post = Method("POST"), put = Method("PUT")
    /// The other methods of RFC 9110 (§9.3.5 to §9.3.8), and PATCH (RFC 5789).
    public static let delete = Method("DELETE"), connect = Method("CONNECT"), options = Method("OPTIONS"),
        trace = Method("TRACE"), patch = Method("PATCH")

    /// The method with the token `rawValue`, in the given letter case.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The token.
    public var description: String { rawValue }
}

/// The parts that were read of a request that a server refuses.
public struct RefusedRequest: Sendable {
    /// The method; nil if no space follows one.
    public let method: Method?
    /// The target, perhaps without its query; nil if it is incomplete or invalid.
    public let target: RequestTarget?
    /// The version; HTTP/1.1 if it was not read.
    public let version: Version
    /// The header fields before the first invalid line, as many as the limits allow.
    public let headers: HeaderFields

    /// A request of which nothing is known.
    public init() { (method, target, version, headers) = (nil, nil, .http11, HeaderFields()) }

    /// A request whose head is valid.
    public init(_ request: Request) {
        (method, target, version) = (request.method, request.target, request.version)
        headers = request.headers
    }

    /// Reads the start of an invalid or incomplete head.
    init(_ bytes: Span<UInt8>, limits: RequestLimits) {
        var lines = LineReader()
        let line: Range<Int>
        switch try? lines.next(in: bytes, before: bytes.count + 1) {
        case .complete(let range): line = range
        case .incomplete, .tooLong, nil: line = 0..<bytes.count
        }
        if let end = RequestLine.methodEnd(bytes, line) {
            let method = RequestLine.method(bytes, line.lowerBound..<end)
            self.method = method
            target = Self.target(bytes, end + 1..<line.upperBound, of: method, limits)
        } else {
            (method, target) = (nil, nil)
        }
        version = bytes.hasSuffix(" HTTP/1.0", in: line) ? .http10 : .http11
        headers = Self.fields(&lines, bytes, limits)
    }

    /// Reads the target at the start of `rest`, a line behind its method: with its query only if that is valid.
    private static func target(
        _ bytes: Span<UInt8>, _ rest: Range<Int>, of method: Method, _ limits: RequestLimits
    ) -> RequestTarget? {
        // Without a space behind the target, the target can be incomplete.
        guard let scan = try? TargetScan(bytes, rest), scan.range.upperBound < rest.upperBound,
            scan.range.count <= limits.maximumTargetBytes, let path = try? scan.path(bytes, method),
            let pathScan = try? TargetScan(bytes, path)
        else { return nil }
        var copy: [UInt8] = []
        copy.append(copying: bytes.extracting(..<rest.upperBound))
        let whole = try? RequestTarget(copy, scan, path: path, maximumParameters: .max)
        return whole ?? (try? RequestTarget(copy, pathScan, path: path, maximumParameters: .max))
    }

    /// Reads the field lines behind the request line, until one is invalid or incomplete.
    private static func fields(
        _ lines: inout LineReader, _ bytes: Span<UInt8>, _ limits: RequestLimits
    ) -> HeaderFields {
        var fields: [HeaderFields.Field] = []
        while lines.start > 0, fields.count < limits.maximumFields,
            case .complete(let line)? = try? lines.next(in: bytes, before: bytes.count + 1),
            let field = try? HeaderFields.Field(bytes, line)
        {
            fields.append(field)
        }
        if fields.isEmpty { return HeaderFields() }
        var copy: [UInt8] = []
        copy.append(copying: bytes.extracting(..<lines.start))
        return HeaderFields(bytes: copy, fields: fields)
    }
}

extension Span<UInt8> {
    /// Whether the bytes in `range` end with `text`.
    fileprivate func hasSuffix(_ text: String, in range: Range<Int>) -> Bool {
        let count = text.utf8.count
        return range.count >= count && equals(range.upperBound - count..<range.upperBound, text)
    }
}
