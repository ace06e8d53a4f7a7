/// The first line of a request: method, target and version with one space between them (RFC 9112 §3).
struct RequestLine: Sendable {
    /// The longest method read; no registered one has more than 16 bytes.
    static let maximumMethodBytes = 32

    let method: Method
    let target: TargetBounds
    let version: Version

    /// Reads the line in `range`, which comes without its CRLF.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>, limits: RequestLimits) throws(RequestFailure) {
        let methodRange = try Self.methodRange(bytes, range)
        let scan = try TargetScan(bytes, methodRange.upperBound + 1..<range.upperBound)
        guard scan.range.count <= limits.maximumTargetBytes else {
            throw RequestFailure(
                status: .uriTooLong, detail: "The request target is longer than \(limits.maximumTargetBytes) bytes.")
        }
        guard scan.range.upperBound < range.upperBound else {
            throw .badRequest("The request line ends before its version.")
        }
        method = Method(bytes, methodRange)
        version = try Self.version(bytes, scan.range.upperBound + 1..<range.upperBound)
        guard method != .connect else {
            throw RequestFailure(status: .notImplemented, detail: "This server opens no tunnels: CONNECT.")
        }
        target = try TargetBounds(bytes, scan, method: method)
    }

    /// How many bytes the line may have without its CRLF: any method, the longest target, any version.
    static func maximumBytes(_ limits: RequestLimits) -> Int {
        maximumMethodBytes + limits.maximumTargetBytes + " ".utf8.count + " HTTP/1.1".utf8.count
    }

    /// Why a line is refused whose first bytes, those of `range`, are already too many.
    static func failure(
        forTooLong bytes: Span<UInt8>, _ range: Range<Int>, limits: RequestLimits
    ) -> RequestFailure {
        do {
            let line = try RequestLine(bytes, range, limits: limits)
            return .badRequest("The request line goes on after \(line.version).")
        } catch {
            return error
        }
    }

    private static func methodRange(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestFailure) -> Range<Int> {
        let end = bytes.end(of: .token, from: line.lowerBound, to: line.upperBound)
        if end > line.lowerBound, end - line.lowerBound <= maximumMethodBytes, end < line.upperBound,
            bytes[end] == ASCII.space
        {
            return line.lowerBound..<end
        }
        throw .badRequest("The request line \"\(bytes.excerpt(line))\" does not start with a method and a space.")
    }

    private static func version(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(RequestFailure) -> Version {
        let start = range.lowerBound
        guard range.count == 8, bytes[start] == UInt8(ascii: "H"), bytes[start + 1] == UInt8(ascii: "T"),
            bytes[start + 2] == UInt8(ascii: "T"), bytes[start + 3] == UInt8(ascii: "P"),
            bytes[start + 4] == ASCII.slash, ASCII.isDigit(bytes[start + 5]),
            bytes[start + 6] == UInt8(ascii: "."), ASCII.isDigit(bytes[start + 7])
        else {
            throw .badRequest("\"\(bytes.excerpt(range))\" stands where the request line has its HTTP version.")
        }
        guard bytes[start + 5] == UInt8(ascii: "1") else {
            throw RequestFailure(
                status: .httpVersionNotSupported, detail: "\(bytes.excerpt(range)) is not HTTP/1.0 or HTTP/1.1.")
        }
        return bytes[start + 7] == ASCII.zero ? .http10 : .http11
    }
}
