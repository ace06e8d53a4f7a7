/// A strict parser of HTTP/1.x requests, whose bytes arrive in fragments (RFC 9112).
///
/// On each call, pass all bytes of the current request that have arrived, from its first byte on. The time is linear in
/// the request's length, and the outcome does not depend on the fragments. After a request the parser starts again;
/// after a failure it keeps failing.
public struct RequestParser: Sendable {
    /// The result of the bytes so far.
    public enum Outcome: Sendable {
        /// The request is not complete, and no error has been found yet.
        case needsMore
        /// A request in the first `consumed` bytes; the next request starts after them.
        case request(Request, consumed: Int)
        /// The bytes are not a valid request. Answer with the failure's status and close.
        case failure(RequestFailure)
    }

    private enum Stage {
        /// Only empty lines so far, of `length` bytes.
        case idle(length: Int)
        case head(start: Int)
        // Indirect, so that moving from stage to stage copies no head.
        indirect case body(RequestHead, start: Int)
        indirect case failed(RequestFailure)
    }

    /// The number of empty lines that are skipped before a request line (RFC 9112 §2.2).
    private static let maximumEmptyLines = 4

    private let limits: RequestLimits
    private var stage = Stage.idle(length: 0)
    // Outside of the stage: an array in an enum's payload is copied when it is taken out and grows.
    private var head = HeadParser()
    private var chunks = ChunkedDecoder(start: 0)
    private var owesContinue = false

    /// A parser for one connection.
    public init(limits: RequestLimits = RequestLimits()) {
        self.limits = limits.clamped
    }

    /// Whether some bytes of the current request have arrived, so that a timeout is answered with 408.
    public var hasStarted: Bool {
        if case .idle = stage { return false }
        return true
    }

    /// Returns true once if the client waits for `100 Continue`.
    ///
    /// That is the case if a complete head asks for it, the body is within its limit, and none of the body arrived with
    /// the head (RFC 9110 §10.1.1).
    public mutating func takeContinueExpectation() -> Bool {
        defer { owesContinue = false }
        return owesContinue
    }

    /// Continues to parse `bytes`, which start at the first byte of the current request.
    public mutating func parse(_ bytes: Span<UInt8>) -> Outcome {
        if case .failed(let failure) = stage { return .failure(failure) }
        do throws(RequestFailure) {
            return try step(bytes)
        } catch {
            owesContinue = false
            stage = .failed(error)
            return .failure(error)
        }
    }

    private mutating func step(_ bytes: Span<UInt8>) throws(RequestFailure) -> Outcome {
        if case .idle(let length) = stage { try skipEmptyLines(bytes, length) }
        if case .head(let start) = stage {
            let rest = bytes.extracting(start...)
            guard let complete = try head.parse(rest, limits) else { return .needsMore }
            head = HeadParser()
            if case .sized(let size) = complete.framing.body, size <= rest.count - complete.length {
                return finish(complete, sizedBody(complete, rest, size), end: start + complete.length + size)
            }
            begin(complete, start: start, hasBodyBytes: complete.length < rest.count)
        }
        guard case .body(let complete, let start) = stage,
            let (body, end) = try readBody(complete, bytes.extracting(start...))
        else { return .needsMore }
        return finish(complete, body, end: start + end)
    }

    private mutating func finish(_ complete: RequestHead, _ body: [UInt8], end: Int) -> Outcome {
        stage = .idle(length: 0)
        owesContinue = false
        var request = complete.request
        request.body = body
        return .request(request, consumed: end)
    }

    private mutating func skipEmptyLines(_ bytes: Span<UInt8>, _ length: Int) throws(RequestFailure) {
        var length = length
        while length < bytes.count, bytes[length] == ASCII.carriageReturn {
            guard length + 1 < bytes.count else { break }
            guard bytes[length + 1] == ASCII.lineFeed else { throw .loneCarriageReturn }
            length += 2
            guard length <= Self.maximumEmptyLines * 2 else {
                throw .badRequest("There are more than \(Self.maximumEmptyLines) empty lines before the request.")
            }
        }
        let isOther = length < bytes.count && bytes[length] != ASCII.carriageReturn
        stage = isOther ? .head(start: length) : .idle(length: length)
    }

    private mutating func begin(_ complete: RequestHead, start: Int, hasBodyBytes: Bool) {
        stage = .body(complete, start: start)
        owesContinue = complete.framing.expectsContinue && !hasBodyBytes
        if case .chunked = complete.framing.body { chunks = ChunkedDecoder(start: complete.length) }
    }

    /// Returns the body and the offset after it in `bytes`, which start with the head; nil if bytes are missing.
    private mutating func readBody(
        _ complete: RequestHead, _ bytes: Span<UInt8>
    ) throws(RequestFailure) -> (body: [UInt8], end: Int)? {
        switch complete.framing.body {
        case .sized(let size):
            guard size <= bytes.count - complete.length else { return nil }
            return (sizedBody(complete, bytes, size), complete.length + size)
        case .chunked:
            guard let end = try chunks.decode(bytes, limits) else { return nil }
            defer { chunks = ChunkedDecoder(start: 0) }
            return (chunks.body, end)
        }
    }

    private func sizedBody(_ complete: RequestHead, _ bytes: Span<UInt8>, _ size: Int) -> [UInt8] {
        size == 0 ? [] : [UInt8](copying: bytes.extracting(complete.length..<complete.length + size))
    }
}

/// The largest request that is accepted.
///
/// Every limit is inclusive.
public struct RequestLimits: Hashable, Sendable {
    /// The bytes of the request target, escapes included; beyond it 414.
    public var maximumTargetBytes = 8192
    /// The bytes of the head, its empty line included, and of a trailer section; beyond it 431.
    public var maximumHeadBytes = 16384
    /// The field lines in the head, and in a trailer section; beyond it 431.
    public var maximumFields = 100
    /// The bytes of the decoded body; beyond it 413, with a Content-Length before the body arrives.
    public var maximumBodyBytes = 65536
    /// The pairs in the query; beyond it 400.
    public var maximumQueryParameters = 64

    /// The default limits.
    public init() {}

    /// The same with every limit in 0...2^30, so that sums of limits and offsets cannot overflow.
    fileprivate var clamped: RequestLimits {
        func clamp(_ limit: Int) -> Int { min(max(limit, 0), 1 << 30) }
        var limits = self
        limits.maximumTargetBytes = clamp(maximumTargetBytes)
        limits.maximumHeadBytes = clamp(maximumHeadBytes)
        limits.maximumFields = clamp(maximumFields)
        limits.maximumBodyBytes = clamp(maximumBodyBytes)
        limits.maximumQueryParameters = clamp(maximumQueryParameters)
        return limits
    }
}

/// The reason to refuse a request; the connection closes after the answer.
///
/// An ambiguous request is refused and never repaired, because a proxy in front may have read it differently
/// (RFC 9112 §11.2).
public struct RequestFailure: Error, Hashable, Sendable {
    /// The status to answer with: from the parser 400, 413, 414, 417, 431, 501 or 505.
    public let status: Status
    /// One sentence that names the error, with at most 40 escaped characters of the input.
    public let detail: String

    /// A failure to answer with `status`.
    public init(status: Status, detail: String) {
        self.status = status
        self.detail = detail
    }

    static func badRequest(_ detail: String) -> RequestFailure {
        RequestFailure(status: .badRequest, detail: detail)
    }

    static func headTooLarge(_ detail: String) -> RequestFailure {
        RequestFailure(status: .headerFieldsTooLarge, detail: detail)
    }

    static func bodyTooLarge(_ limits: RequestLimits) -> RequestFailure {
        RequestFailure(status: .contentTooLarge, detail: "The body is larger than \(limits.maximumBodyBytes) bytes.")
    }

    static var loneCarriageReturn: RequestFailure {
        .badRequest("A carriage return is not followed by a line feed.")
    }
}
