/// A strict parser of HTTP/1.x requests, whose bytes arrive in fragments (RFC 9112).
///
/// Each call gets all bytes that have arrived since the last request. The time is linear in the head's length, and the outcome does not depend on the fragments. No body is read. After a request the parser
/// starts again; after a failure it keeps failing.
public struct RequestParser: Sendable {
    /// The result of the bytes so far.
    public enum Outcome: Sendable {
        /// The head is not complete, and no error has been found yet. No byte is taken.
        case needsMore
        /// A request whose head ends after `consumed` bytes; the next request starts after them, unless a body does.
        case request(Request, consumed: Int)
        /// The bytes are not a valid request. Answer with the failure's status and close.
        case failure(RequestFailure)
    }

    private enum Stage {
        /// Only empty lines so far, of `length` bytes.
        case idle(length: Int)
        case head(start: Int)
        indirect case failed(RequestFailure, RefusedRequest)
    }

    /// The number of empty lines that are skipped before a request line (RFC 9112 §2.2).
    private static let maximumEmptyLines = 4

    private let limits: RequestLimits
    private var stage = Stage.idle(length: 0)
    // Outside of the stage: an array in an enum's payload is copied when it is taken out and grows.
    private var head = RequestHead()

    /// A parser for one connection.
    public init(limits: RequestLimits = RequestLimits()) { self.limits = limits.clamped }

    /// Whether some bytes of the current request have arrived, so that a timeout is answered with 408.
    public var hasStarted: Bool {
        if case .idle = stage { return false }
        return true
    }

    /// Whether the parser is between two requests and has read no empty line.
    public var isFresh: Bool {
        if case .idle(length: 0) = stage { return true }
        return false
    }

    /// The parts that were read of a request that has failed, or is refused before its head is complete.
    ///
    /// `bytes` are the argument of the next `parse`: the start of the head.
    public func refusedRequest(_ bytes: Span<UInt8>) -> RefusedRequest {
        switch stage {
        case .failed(_, let request): request
        case .head(let start): RefusedRequest(bytes.extracting(start...), limits: limits)
        case .idle: RefusedRequest()
        }
    }

    /// Continues to parse; `bytes` start behind the last request.
    public mutating func parse(_ bytes: Span<UInt8>) -> Outcome {
        do throws(RequestFailure) {
            switch stage {
            case .failed(let failure, _): return .failure(failure)
            case .idle(let length): try skipEmptyLines(bytes, length)
            case .head: break
            }
            guard case .head(let start) = stage, let complete = try head.parse(bytes.extracting(start...), limits)
            else { return .needsMore }
            stage = .idle(length: 0)
            return .request(complete.request, consumed: start + complete.length)
        } catch {
            stage = .failed(error, refusedRequest(bytes))
            return .failure(error)
        }
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
    /// The bytes of the head, its empty line included; beyond it 431.
    public var maximumHeadBytes = 32768
    /// The field lines in the head; beyond it 431.
    public var maximumFields = 100
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
        limits.maximumQueryParameters = clamp(maximumQueryParameters)
        return limits
    }
}

/// The reason to refuse a request; the connection closes after the answer.
///
/// An ambiguous request is refused and never repaired, because a proxy in front may have read it differently
/// (RFC 9112 §11.2).
public struct RequestFailure: Error, Hashable, Sendable {
    /// The status to answer with: from the parser 400, 414, 417, 431, 501 or 505.
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

    static var loneCarriageReturn: RequestFailure {
        .badRequest("A carriage return is not followed by a line feed.")
    }
}
