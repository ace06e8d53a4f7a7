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

    /// The method that `name` holds.
    static func method(_ bytes: Span<UInt8>, _ name: Range<Int>) -> Method {
        bytes.equals(name, "GET") ? .get : Method(bytes.text(name))
    }

    /// The length that the line may have without its CRLF: any method, the longest target, any version.
    static func maximumBytes(_ limits: RequestLimits) -> Int {
        maximumMethodBytes + limits.maximumTargetBytes + " ".utf8.count + " HTTP/1.1".utf8.count
    }

    /// The reason to refuse a line of which the bytes in `range` are already too long.
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
