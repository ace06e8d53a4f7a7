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
    private(set) var start: Int
    private var scanned: Int

    init(start: Int = 0) {
        self.start = start
        scanned = start
    }

    /// Continues with bytes that start at the next line.
    mutating func dropLines() {
        scanned -= start
        start = 0
    }

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
        return .badRequest("The head, or a chunk's framing, has the illegal control character \"\(character)\".")
    }
}
