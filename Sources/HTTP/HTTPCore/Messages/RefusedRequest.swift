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
