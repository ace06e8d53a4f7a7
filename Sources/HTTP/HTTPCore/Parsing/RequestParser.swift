/// A strict parser of HTTP/1.x requests, whose bytes arrive in fragments (RFC 9112).
///
/// Each call gets the bytes behind those that the parser has taken, and those that have arrived since. The time is linear
/// in the request's length, and the outcome does not depend on the fragments. After a request the parser starts again;
/// after a failure it keeps failing.
public struct RequestParser: Sendable {
    /// The result of the bytes so far.
    public enum Outcome: Sendable {
        /// The request is not complete, and no error has been found yet. The first `consumed` bytes are taken.
        case needsMore(consumed: Int)
        /// The head, of `consumed` bytes, of a request that has a body; continue to parse behind it, or close.
        case head(Request, consumed: Int)
        /// A request that ends after `consumed` bytes; the next request starts after them.
        case request(Request, consumed: Int)
        /// The bytes are not a valid request. Answer with the failure's status and close.
        case failure(RequestFailure)
    }

    private enum Stage {
        /// Only empty lines so far, of `length` bytes.
        case idle(length: Int)
        case head(start: Int)
        // Indirect, so that moving from stage to stage copies no request.
        indirect case body(Request, MessageFraming.Body)
        indirect case failed(RequestFailure, RefusedRequest)
    }

    /// The number of empty lines that are skipped before a request line (RFC 9112 §2.2).
    private static let maximumEmptyLines = 4

    private let limits: RequestLimits
    private var stage = Stage.idle(length: 0)
    // Outside of the stage: an array in an enum's payload is copied when it is taken out and grows.
    private var head = HeadParser()
    private var chunks = ChunkedDecoder()
    /// The part of the body that has arrived.
    private var body: [UInt8] = []
    private var maximumBodyBytes: Int
    private var owesContinue = false

    /// A parser for one connection.
    public init(limits: RequestLimits = RequestLimits()) {
        self.limits = limits.clamped
        maximumBodyBytes = self.limits.maximumBodyBytes
    }

    /// Whether some bytes of the current request have arrived, so that a timeout is answered with 408.
    public var hasStarted: Bool {
        if case .idle = stage { return false }
        return true
    }

    /// Whether it is as new: between two requests, without empty lines.
    public var isFresh: Bool {
        if case .idle(length: 0) = stage { return true }
        return false
    }

    /// What is known of the request that has failed, or is refused before it is complete.
    ///
    /// `bytes` are those that `parse` would get: they hold what there is of a head.
    public func refusedRequest(_ bytes: Span<UInt8>) -> RefusedRequest {
        switch stage {
        case .body(let request, _): RefusedRequest(request)
        case .failed(_, let request): request
        case .head(let start): RefusedRequest(bytes.extracting(start...), limits: limits)
        case .idle: RefusedRequest()
        }
    }

    /// Returns true once if the client waits for `100 Continue`.
    ///
    /// That is the case if a complete head asks for it, the body is within its limit, and none of the body arrived with
    /// the head (RFC 9110 §10.1.1).
    public mutating func takeContinueExpectation() -> Bool {
        defer { owesContinue = false }
        return owesContinue
    }

    /// Limits the body of the request whose head has been returned to `count` bytes, if that is below the general limit.
    /// - Throws: 413 if the Content-Length is larger.
    public mutating func limitBody(to count: Int) throws(RequestFailure) {
        maximumBodyBytes = min(max(count, 0), limits.maximumBodyBytes)
        guard case .body(_, .sized(let size)) = stage, size > maximumBodyBytes else { return }
        let failure = RequestFailure.bodyTooLarge(maximumBodyBytes)
        let nothing: [UInt8] = []
        fail(failure, nothing.span)
        throw failure
    }

    /// Continues to parse `bytes`, which start behind those that have been taken.
    public mutating func parse(_ bytes: Span<UInt8>) -> Outcome {
        do throws(RequestFailure) {
            switch stage {
            case .failed(let failure, _): throw failure
            case .idle(let length):
                try skipEmptyLines(bytes, length)
                return try parseHead(bytes)
            case .head: return try parseHead(bytes)
            case .body(_, let framing): return try parseBody(bytes, framing)
            }
        } catch {
            fail(error, bytes)
            return .failure(error)
        }
    }

    private mutating func fail(_ failure: RequestFailure, _ bytes: Span<UInt8>) {
        owesContinue = false
        body = []
        stage = .failed(failure, refusedRequest(bytes))
    }

    private mutating func parseHead(_ bytes: Span<UInt8>) throws(RequestFailure) -> Outcome {
        guard case .head(let start) = stage, let complete = try head.parse(bytes.extracting(start...), limits) else {
            return .needsMore(consumed: 0)
        }
        let end = start + complete.length
        if case .sized(0) = complete.framing.body {
            stage = .idle(length: 0)
            return .request(complete.request, consumed: end)
        }
        stage = .body(complete.request, complete.framing.body)
        owesContinue = complete.framing.expectsContinue && end == bytes.count
        maximumBodyBytes = limits.maximumBodyBytes
        chunks = ChunkedDecoder()
        return .head(complete.request, consumed: end)
    }

    private mutating func parseBody(
        _ bytes: Span<UInt8>, _ framing: MessageFraming.Body
    ) throws(RequestFailure) -> Outcome {
        let consumed: Int
        switch framing {
        case .sized(let size):
            consumed = min(size - body.count, bytes.count)
            body.append(copying: bytes.extracting(..<consumed))
            if body.count < size { return .needsMore(consumed: consumed) }
        case .chunked:
            var limits = limits
            limits.maximumBodyBytes = maximumBodyBytes
            consumed = try chunks.decode(bytes, into: &body, limits)
            if !chunks.isFinished { return .needsMore(consumed: consumed) }
        }
        guard case .body(var request, _) = stage else { return .needsMore(consumed: consumed) }
        request.body = body
        body = []
        stage = .idle(length: 0)
        owesContinue = false
        return .request(request, consumed: consumed)
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
}

/// The largest request that is accepted.
///
/// Every limit is inclusive.
public struct RequestLimits: Hashable, Sendable {
    /// The bytes of the request target, escapes included; beyond it 414.
    public var maximumTargetBytes = 8192
    /// The bytes of the head, its empty line included, and of a trailer section; beyond it 431.
    public var maximumHeadBytes = 32768
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

    static func bodyTooLarge(_ maximum: Int) -> RequestFailure {
        RequestFailure(status: .contentTooLarge, detail: "The body is larger than \(maximum) bytes.")
    }

    static var loneCarriageReturn: RequestFailure {
        .badRequest("A carriage return is not followed by a line feed.")
    }
}
