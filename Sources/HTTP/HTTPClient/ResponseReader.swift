// Unsafe: bytes that libcurl offers are copied into the body by their pointer, with their count, before the call returns.
import HTTPCore

/// A response as it arrives from libcurl: its head, and its body with the chunked and the content coding removed.
///
/// libcurl finds the end of the response; everything else that it accepts is checked here once more.
struct ResponseReader {
    /// What a line of a head does.
    enum HeadReply {
        case line
        /// The line completes the head of the final response.
        case lastLine
        case failed
    }

    /// The effects of bytes of a body that the transfer has to know, because asking once costs less than asking for each.
    struct BodyReply {
        let isTaken: Bool
        /// Whether the reader needs another turn of the loop.
        let needsTurn: Bool
        /// Whether bytes that follow the response have arrived with the body.
        let hasSurplus: Bool
        let isLast: Bool
    }

    /// The bytes that are decoded in one turn of the loop, for which clients and other upstreams wait.
    private static let maximumPerTurn = 128 << 10

    private let maximumBodyBytes: Int
    private let reserveBody: ((_ bytes: Int) -> Bool)?
    private(set) var head: ResponseHead
    /// Whether the final response's head is complete; `head` says it too, but is copied to be asked.
    private(set) var isHeadComplete = false
    private(set) var error: TransferError?
    private(set) var hasSurplus = false
    /// The beginning of a line of the head that libcurl offers in pieces: of 16 KiB, up to 100 KiB.
    private var lineStart: [UInt8] = []
    private var body: [UInt8] = []
    private var chunks: ChunkedReader?
    private var decoder: ContentDecoder?
    /// Encoded bytes; the first `decoded` of them are decoded.
    private var encoded: [UInt8] = []
    private var decoded = 0
    private var hasEncoded = false
    /// The bytes of the body that have arrived, with its codings.
    private(set) var received = 0

    init(limits: ResponseHead.Limits, maximumBodyBytes: Int, reserveBody: ((_ bytes: Int) -> Bool)?) {
        head = ResponseHead(limits: limits)
        self.maximumBodyBytes = maximumBodyBytes
        self.reserveBody = reserveBody
    }

    /// Whether the reader needs another turn of the loop, with `decodeMore`.
    var needsTurn: Bool {
        guard error == nil, let decoder else { return false }
        return decoder.stoppedAtLimit || decoded < encoded.count
    }

    /// Takes a line, or a piece of a long one, of a head.
    mutating func takeHead(_ bytes: Span<UInt8>) -> HeadReply {
        let isEnd = bytes.isEmpty || bytes[bytes.count - 1] == UInt8(ascii: "\n")
        if isEnd, lineStart.isEmpty { return takeHeadLine(bytes) }
        lineStart.append(copying: bytes)
        guard isEnd else { return .line }
        defer { lineStart = [] }
        let line = lineStart
        return takeHeadLine(line.span)
    }

    private mutating func takeHeadLine(_ line: Span<UInt8>) -> HeadReply {
        do throws(ResponseHead.Malformed) {
            guard try head.take(line) else { return .line }
            isHeadComplete = true
            if head.isChunked { chunks = ChunkedReader() }
            let codings = head.codings
            guard codings.count <= 1 else { throw ResponseHead.Malformed("it has more than one content coding") }
            if let coding = codings.first {
                decoder = try ContentDecoder(
                    coding, maximumBytes: maximumBodyBytes, reserve: reserveBody ?? { _ in true })
            }
            return .lastLine
        } catch {
            self.error = .malformed(reason: error.reason)
            return .failed
        }
    }

    /// Takes bytes of the body, with its chunked coding.
    mutating func takeBody(_ bytes: UnsafeRawBufferPointer) -> BodyReply {
        let wasWaiting = needsTurn
        received += bytes.count
        attempt { reader throws(ResponseHead.Malformed) in
            if reader.decoder == nil {
                if reader.body.isEmpty { reader.reserve(bytes.count) }
                try reader.takeData(bytes)
                reader.checkSize()
            } else {
                try reader.takeEncoded(bytes)
                if wasWaiting { reader.checkSize() } else { try reader.decode() }
            }
        }
        return BodyReply(
            isTaken: error == nil, needsTurn: needsTurn, hasSurplus: hasSurplus, isLast: received == head.length)
    }

    /// Decodes more of the bytes that wait; returns false for a malformed or too large body.
    mutating func decodeMore() -> Bool {
        attempt { reader throws(ResponseHead.Malformed) in try reader.decode() }
        return error == nil
    }

    mutating func noteSurplus() { hasSurplus = true }

    /// Returns the response, which libcurl found complete.
    mutating func finish() -> Result<IncomingResponse, TransferError> {
        if let error { return .failure(error) }
        guard head.isComplete else { return .failure(.brokenOff(head.hasStarted ? .inHead : .beforeAnswer)) }
        if let chunks, !chunks.isFinished, !head.isBodyless { return .failure(.brokenOff(.beforeLastChunk)) }
        if let decoder, !decoder.hasEnded, hasEncoded {
            return .failure(.malformed(reason: "the end of its \(head.codings[0]) coding is missing"))
        }
        // The connection ends here, so the bytes are no second answer: the length is wrong.
        if hasSurplus, head.closes { return .failure(.malformed(reason: "it is longer than its framing says")) }
        return .success(IncomingResponse(status: head.status, headers: head.headers, body: body))
    }

    private mutating func attempt(_ body: (inout ResponseReader) throws(ResponseHead.Malformed) -> Void) {
        do {
            try body(&self)
        } catch {
            self.error = .malformed(reason: error.reason)
        }
        // Now, because the transfer ends after all others that the loop looks at in this turn.
        if error != nil { (decoder, self.body, encoded) = (nil, [], []) }
    }

    private mutating func reserve(_ count: Int) {
        // Pages that no byte arrives in take up no memory; an array that grows would be there twice.
        body.reserveCapacity(max(count, min(head.length ?? 0, maximumBodyBytes)))
    }

    private mutating func takeData(_ bytes: UnsafeRawBufferPointer) throws(ResponseHead.Malformed) {
        guard chunks != nil else { return body.append(contentsOf: bytes) }
        let taken = try chunks?.take(bytes.bindMemory(to: UInt8.self).span, into: &body, &head)
        if let taken, taken < bytes.count { hasSurplus = true }
    }

    private mutating func takeEncoded(_ bytes: UnsafeRawBufferPointer) throws(ResponseHead.Malformed) {
        encoded.removeFirst(decoded)
        decoded = 0
        if chunks == nil { encoded.append(contentsOf: bytes) }
        let taken = try chunks?.take(bytes.bindMemory(to: UInt8.self).span, into: &encoded, &head)
        if let taken, taken < bytes.count { hasSurplus = true }
        hasEncoded = hasEncoded || !encoded.isEmpty
    }

    private mutating func decode() throws(ResponseHead.Malformed) {
        guard let decoder, decoded < encoded.count || decoder.stoppedAtLimit else { return }
        // One byte beyond the limit shows that the body is too large.
        let limit = min(Self.maximumPerTurn, maximumBodyBytes + 1 - body.count)
        try decoder.decode(encoded, from: &decoded, into: &body, atMost: limit)
        checkSize()
    }

    private mutating func checkSize() {
        let memory = (decoder?.memory ?? 0) + encoded.count - decoded
        guard !body.isEmpty || memory > 0 else { return }
        // The length of an encoded body says nothing about the decoded one.
        let announced = decoder == nil ? min(head.length ?? 0, maximumBodyBytes) : 0
        if max(body.count, encoded.count - decoded) > maximumBodyBytes || decoder?.isTooLarge == true
            || reserveBody?(max(announced, body.count) + memory) == false
        {
            error = .tooLarge(limit: maximumBodyBytes)
        }
    }
}
