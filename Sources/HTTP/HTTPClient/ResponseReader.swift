// Unsafe: bytes that libcurl offers are copied into the body by their pointer, with their count, before the call returns.
import HTTPCore

/// A response as it arrives from libcurl: its head, and its body with the chunked and the content coding removed.
///
/// libcurl finds the end of the response; everything else that it accepts is checked here once more.
struct ResponseReader {
    /// What to do with bytes that libcurl offers.
    enum Reply {
        case taken
        /// Offer the bytes again after `resume`.
        case pause
        case failed
    }

    /// What a line of a head does.
    enum HeadReply {
        case line
        /// The line completes the head of the final response.
        case lastLine
        case failed
    }

    /// What bytes of a body do, all that the transfer has to know; asking once costs less than asking for each.
    struct BodyReply {
        let reply: Reply
        /// Whether the reader needs another turn of the loop.
        let needsTurn: Bool
        /// Whether bytes that follow the response have arrived with it.
        let hasSurplus: Bool
        /// Whether the bytes end a body of known length.
        let isLast: Bool
    }

    /// The bytes of the body taken in one turn of the loop.
    ///
    /// Otherwise the loop waits until everything that has arrived is taken and decoded.
    private static let maximumPerTurn = 128 << 10

    private let maximumBodyBytes: Int
    private let reserveBody: ((_ bytes: Int) -> Bool)?
    private(set) var head: ResponseHead
    /// Whether the final response's head is complete; `head` says it too, but is copied to be asked.
    private(set) var isHeadComplete = false
    private(set) var error: TransferError?
    /// Whether bytes that follow the response have arrived with it.
    private(set) var hasSurplus = false
    /// The beginning of a line of the head that libcurl offers in pieces: of 16 KiB, up to 100 KiB.
    private var lineStart: [UInt8] = []
    private var body: [UInt8] = []
    private var chunks: ChunkedReader?
    private var decoder: ContentDecoder?
    /// Bytes of which those from `decoded` on wait to be decoded: what libcurl reads at once at most.
    private var encoded: [UInt8] = []
    private var decoded = 0
    private var hasEncoded = false
    private var takenInTurn = 0
    /// The encoded bytes that have arrived in this turn: they may decode to nothing.
    private var encodedInTurn = 0
    /// The bytes of the body that have arrived, with its codings.
    private(set) var received = 0
    private(set) var isPaused = false

    init(limits: ResponseHead.Limits, maximumBodyBytes: Int, reserveBody: ((_ bytes: Int) -> Bool)?) {
        head = ResponseHead(limits: limits)
        self.maximumBodyBytes = maximumBodyBytes
        self.reserveBody = reserveBody
    }

    /// Whether the connection has agreed on HTTP/2.
    var allowsHTTP2: Bool {
        get { head.allowsHTTP2 }
        set { head.allowsHTTP2 = newValue }
    }

    /// Whether the reader needs another turn of the loop.
    var needsTurn: Bool { isPaused || hasMoreToDecode }

    private var hasMoreToDecode: Bool {
        guard error == nil, let decoder else { return false }
        return decoder.stoppedAtLimit || decoded < encoded.count
    }

    /// Whether the response is complete with `received` bytes of its body, before they are decoded.
    func hasWhole(received: Int) -> Bool {
        guard error == nil, head.isComplete else { return false }
        return head.isBodyless || (chunks?.isFinished ?? (received == head.length))
    }

    /// Takes a line, or a piece of a long one, of a head or of HTTP/2's trailer section.
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
    ///
    /// A transfer can pause if libcurl `isWatched` by the loop for it.
    mutating func takeBody(_ bytes: UnsafeRawBufferPointer, isWatched: Bool) -> BodyReply {
        let reply = take(bytes, mayPause: isWatched || head.isHTTP2)
        if reply != .pause { received += bytes.count }
        return BodyReply(
            reply: reply, needsTurn: needsTurn, hasSurplus: hasSurplus, isLast: received == head.length)
    }

    private mutating func take(_ bytes: UnsafeRawBufferPointer, mayPause: Bool) -> Reply {
        let isFull = hasMoreToDecode || max(takenInTurn, encodedInTurn) >= Self.maximumPerTurn
        if isFull, mayPause {
            isPaused = true
            return .pause
        }
        return attempt { reader throws(ResponseHead.Malformed) in
            if reader.decoder == nil {
                if reader.body.isEmpty { reader.reserve(bytes.count) }
                try reader.takeData(bytes)
                reader.takenInTurn += bytes.count
                reader.checkSize()
            } else {
                reader.encodedInTurn += bytes.count
                try reader.takeEncoded(bytes)
                if !isFull { try reader.decode() }
            }
        }
    }

    /// Begins another turn: decodes what waits, and returns whether the transfer can go on.
    mutating func resume() -> Reply {
        (takenInTurn, encodedInTurn) = (0, 0)
        let reply = attempt { reader throws(ResponseHead.Malformed) in try reader.decode() }
        guard case .taken = reply, !hasMoreToDecode else { return error == nil ? .pause : .failed }
        isPaused = false
        return .taken
    }

    /// Records that bytes follow the response.
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

    private mutating func attempt(_ body: (inout ResponseReader) throws(ResponseHead.Malformed) -> Void) -> Reply {
        do {
            try body(&self)
        } catch {
            self.error = .malformed(reason: error.reason)
        }
        if error == nil { return .taken }
        // Now, because the transfer ends after all others that the loop looks at in this turn.
        (decoder, self.body, encoded) = (nil, [], [])
        return .failed
    }

    private mutating func reserve(_ count: Int) {
        body.reserveCapacity(max(count, min(head.length ?? 0, maximumBodyBytes, 1 << 20)))
    }

    /// Appends the data in `bytes` to the body.
    private mutating func takeData(_ bytes: UnsafeRawBufferPointer) throws(ResponseHead.Malformed) {
        guard chunks != nil else { return body.append(contentsOf: bytes) }
        let taken = try chunks?.take(bytes.bindMemory(to: UInt8.self).span, into: &body, &head)
        if let taken, taken < bytes.count { hasSurplus = true }
    }

    /// Appends the data in `bytes` to those that wait to be decoded.
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
        let before = body.count
        // One byte beyond the limit shows that the body is too large.
        let limit = min(Self.maximumPerTurn - takenInTurn, maximumBodyBytes + 1 - before)
        try decoder.decode(encoded, from: &decoded, into: &body, atMost: limit)
        takenInTurn += body.count - before
        checkSize()
    }

    private mutating func checkSize() {
        let memory = decoder?.memory ?? 0
        guard !body.isEmpty || memory > 0 else { return }
        // The length of an encoded body says nothing about the decoded one.
        let announced = decoder == nil ? min(head.length ?? 0, maximumBodyBytes) : 0
        if body.count > maximumBodyBytes || decoder?.isTooLarge == true
            || reserveBody?(max(announced, body.count) + memory) == false
        {
            error = .tooLarge(limit: maximumBodyBytes)
        }
    }
}
