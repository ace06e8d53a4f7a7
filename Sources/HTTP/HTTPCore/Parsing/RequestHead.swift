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

/// The first line of a request: method, target and version with one space between them (RFC 9112 §3).
struct RequestLine: Sendable {
    /// The longest method that is accepted; no registered one has more than 16 bytes.
    private static let maximumMethodBytes = 32

    let method: Method
    let target: TargetScan
    let path: Range<Int>
    let version: Version

    /// Reads the line in `range`, which does not include its CRLF.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>, limits: RequestLimits) throws(RequestFailure) {
        guard let methodEnd = Self.methodEnd(bytes, range) else {
            // Errors do not repeat the line, because its target can contain a key.
            throw .badRequest("The request line does not start with a method and a space.")
        }
        target = try TargetScan(bytes, methodEnd + 1..<range.upperBound)
        guard target.range.count <= limits.maximumTargetBytes else {
            throw RequestFailure(
                status: .uriTooLong, detail: "The request target is longer than \(limits.maximumTargetBytes) bytes.")
        }
        guard target.range.upperBound < range.upperBound else {
            throw .badRequest("The request line ends before its version.")
        }
        version = try Self.version(bytes, target.range.upperBound + 1..<range.upperBound)
        method = Self.method(bytes, range.lowerBound..<methodEnd)
        guard method != .connect else {
            throw RequestFailure(status: .notImplemented, detail: "This server does not support CONNECT.")
        }
        path = try target.path(bytes, method)
    }

    /// Returns the end of the method in `line`; nil if no space follows one.
    static func methodEnd(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Int? {
        let end = bytes.end(of: ASCII.isTokenCharacter, in: line)
        guard 1...maximumMethodBytes ~= end - line.lowerBound, end < line.upperBound, bytes[end] == ASCII.space else {
            return nil
        }
        return end
    }

    static func method(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Method {
        bytes.equals(name, "GET") ? .get : Method(bytes.text(name))
    }

    /// The length that the line may have without its CRLF: any method, the longest target, any version.
    static func maximumBytes(_ limits: RequestLimits) -> Int {
        maximumMethodBytes + limits.maximumTargetBytes + " ".utf8.count + " HTTP/1.1".utf8.count
    }

    /// The reason to refuse a line whose first bytes, those in `range`, are too long already.
    static func failure(forTooLong bytes: Span<UInt8>, _ range: Range<Int>, limits: RequestLimits) -> RequestFailure {
        do {
            let line = try RequestLine(bytes, range, limits: limits)
            return .badRequest("The request line continues after \(line.version).")
        } catch {
            return error
        }
    }

    private static func version(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFailure) -> Version {
        let start = range.lowerBound
        guard range.count == 8, bytes.equals(start..<start + 5, "HTTP/"), ASCII.isDigit(bytes[start + 5]),
            bytes[start + 6] == UInt8(ascii: "."), ASCII.isDigit(bytes[start + 7])
        else {
            throw .badRequest("The request line does not end with a space and an HTTP version after its target.")
        }
        guard bytes[start + 5] == UInt8(ascii: "1") else {
            throw RequestFailure(
                status: .httpVersionNotSupported, detail: "\(bytes.excerpt(range)) is not HTTP/1.0 or HTTP/1.1.")
        }
        return bytes[start + 7] == ASCII.zero ? .http10 : .http11
    }
}
