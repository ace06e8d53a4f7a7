/// Reads a request's head line by line, as the bytes arrive.
struct RequestHead: Sendable {
    private var lines = LineReader()
    private var requestLine: RequestLine?
    // The last request shares both arrays: once nothing else holds that request, the next one uses their memory.
    private var fields: [HeaderFields.Field] = []
    private var copy: [UInt8] = []

    /// Returns the request and the length of its head once `bytes`, which start with the head, contain all of it, and
    /// starts again; nil before.
    mutating func parse(
        _ bytes: Span<UInt8>, _ limits: RequestLimits
    ) throws(RequestFailure) -> (request: Request, length: Int)? {
        if requestLine == nil { requestLine = try parseRequestLine(bytes, limits) }
        if requestLine == nil { return nil }
        while true {
            switch try lines.next(in: bytes, before: limits.maximumHeadBytes) {
            case .incomplete: return nil
            case .tooLong: throw .headTooLarge("The head is larger than \(limits.maximumHeadBytes) bytes.")
            case .complete(let line):
                if line.isEmpty { return try finish(bytes, limits) }
                let field = try HeaderFields.Field(bytes, line)
                guard fields.count < limits.maximumFields else {
                    throw .headTooLarge("The head has more than \(limits.maximumFields) field lines.")
                }
                fields.append(field)
            }
        }
    }

    private mutating func parseRequestLine(
        _ bytes: Span<UInt8>, _ limits: RequestLimits
    ) throws(RequestFailure) -> RequestLine? {
        let longest = RequestLine.maximumBytes(limits) + "\r\n".utf8.count
        switch try lines.next(in: bytes, before: longest) {
        case .incomplete: return nil
        case .tooLong(let range): throw RequestLine.failure(forTooLong: bytes, range, limits: limits)
        case .complete(let range):
            fields.removeAll(keepingCapacity: true)
            return try RequestLine(bytes, range, limits: limits)
        }
    }

    private mutating func finish(
        _ bytes: Span<UInt8>, _ limits: RequestLimits
    ) throws(RequestFailure) -> (request: Request, length: Int)? {
        guard let line = requestLine.take() else { return nil }
        let length = lines.start
        copy.removeAll(keepingCapacity: true)
        copy.append(copying: bytes.extracting(0..<length))
        lines = LineReader()
        let headers = HeaderFields(bytes: copy, fields: fields)
        let target = try RequestTarget(
            copy, line.target, path: line.path, maximumParameters: limits.maximumQueryParameters)
        let framing = try MessageFraming(headers, line.version)
        let request = Request(
            method: line.method, target: target, version: line.version, headers: headers,
            hasBody: framing.hasBody, keepsAlive: framing.keepsAlive)
        return (request, length)
    }
}

/// Finds lines that end in CRLF, in bytes that arrive in fragments.
///
/// Each byte is scanned once. The result depends only on the bytes and their offsets, never on the fragments.
struct LineReader: Sendable {
    enum Line {
        /// A line without its CRLF.
        case complete(Range<Int>)
        case incomplete
        /// There is no line end before the limit; the bytes that were scanned.
        case tooLong(Range<Int>)
    }

    /// The start of the next line.
    private(set) var start = 0
    private var scanned = 0

    /// Returns the next line, which must end, CRLF included, before the offset `limit`.
    ///
    /// - Throws: 400 at the first control character that is neither a tab nor part of a CRLF.
    mutating func next(in bytes: Span<UInt8>, before limit: Int) throws(RequestFailure) -> Line {
        guard scanned < limit else { return .tooLong(start..<start) }
        guard scanned <= bytes.count else { return .incomplete }
        let end = min(bytes.count, limit)
        scanned = bytes.firstControl(in: scanned..<end)
        if scanned < end {
            guard bytes[scanned] == ASCII.carriageReturn else { throw Self.failure(bytes, at: scanned) }
            if scanned + 1 < end {
                guard bytes[scanned + 1] == ASCII.lineFeed else { throw .loneCarriageReturn }
                let line = start..<scanned
                scanned += 2
                start = scanned
                return .complete(line)
            }
        }
        return end == limit ? .tooLong(start..<end) : .incomplete
    }

    private static func failure(_ bytes: Span<UInt8>, at index: Int) -> RequestFailure {
        if bytes[index] == ASCII.lineFeed { return .badRequest("A line feed is not preceded by a carriage return.") }
        let character = bytes.excerpt(index..<index + 1)
        return .badRequest("The head has the illegal control character \"\(character)\".")
    }
}
