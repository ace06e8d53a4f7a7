/// Reads HTTP/1.x requests from bytes that arrive in any pieces (RFC 9112), strictly.
///
/// Give it what has arrived of the current request, from that request's first byte on, each time there is more. It
/// remembers how far it looked, so a request costs time linear in its length however it is cut, and its outcome does
/// not depend on the cuts. After a request it starts anew; after a failure it stays failed.
public struct RequestParser: Sendable {
    /// What the bytes so far amount to.
    public enum Outcome: Sendable {
        /// The request is not complete, and nothing is wrong with it yet.
        case needsMore
        /// A request in the first `consumed` bytes; the next one starts behind them.
        case request(Request, consumed: Int)
        /// The bytes are no request; answer with the failure's status and close.
        case failure(RequestFailure)
    }

    private enum Stage {
        /// Nothing but empty lines so far, `length` bytes of them.
        case idle(length: Int)
        case head(start: Int)
        // Indirect, so that moving from stage to stage copies no head.
        indirect case body(RequestHead, start: Int)
        indirect case failed(RequestFailure)
    }

    /// Empty lines passed over before a request line (RFC 9112 §2.2).
    private static let maximumEmptyLines = 4

    private let limits: RequestLimits
    private var stage = Stage.idle(length: 0)
    // Beside the stage rather than in it: an array taken out of an enum's payload would be copied when it grows.
    private var head = HeadParser()
    private var chunks = ChunkedDecoder(start: 0)
    private var owesContinue = false

    /// A parser for one connection.
    public init(limits: RequestLimits = RequestLimits()) {
        self.limits = limits.clamped
    }

    /// Whether some of the current request has arrived, so that a time-out deserves a 408.
    public var hasStarted: Bool {
        if case .idle = stage { return false }
        return true
    }

    /// True once when the client waits for `100 Continue`.
    ///
    /// That is when a complete head asked for it, the body is within its limit, and none of it was there with the head
    /// (RFC 9110 §10.1.1).
    public mutating func takeContinueExpectation() -> Bool {
        defer { owesContinue = false }
        return owesContinue
    }

    /// Reads on in `bytes`, which start at the first byte of the current request.
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
        return .request(Request(complete, body: body), consumed: end)
    }

    private mutating func skipEmptyLines(_ bytes: Span<UInt8>, _ length: Int) throws(RequestFailure) {
        var length = length
        while length < bytes.count, bytes[length] == ASCII.carriageReturn {
            guard length + 1 < bytes.count else { break }
            guard bytes[length + 1] == ASCII.lineFeed else {
                throw .badRequest("A carriage return is not followed by a line feed.")
            }
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

    /// The body and the offset behind it in `bytes`, which start with the head.
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
        guard size > 0 else { return [] }
        return [UInt8](copying: bytes.extracting(complete.length..<complete.length + size))
    }
}
