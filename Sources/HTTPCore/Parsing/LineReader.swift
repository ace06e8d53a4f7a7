/// Finds lines that end in CRLF, over bytes that arrive in any pieces.
///
/// Remembers how far it looked, so each byte is looked at once. Whatever it decides depends on the bytes and their
/// offsets alone, never on how they were cut.
struct LineReader: Sendable {
    enum Line {
        /// Without its CRLF.
        case complete(Range<Int>)
        case incomplete
        /// No line end before the limit; the bytes that were looked at.
        case tooLong(Range<Int>)
    }

    /// Where the next line starts.
    private(set) var start: Int
    private var scanned: Int

    init(start: Int = 0) {
        self.start = start
        scanned = start
    }

    /// The next line, which must have ended, CRLF included, before the offset `limit`.
    ///
    /// - Throws: 400 at the first control character that is neither a tab nor part of a CRLF.
    mutating func next(in bytes: Span<UInt8>, before limit: Int) throws(RequestFailure) -> Line {
        guard scanned < limit else { return .tooLong(start..<start) }
        guard scanned <= bytes.count else { return .incomplete }
        let end = min(bytes.count, limit)
        scanned = bytes.firstControl(from: scanned, to: end)
        if scanned < end {
            guard bytes[scanned] == ASCII.carriageReturn else {
                throw .badRequest(Self.complaint(about: bytes[scanned]))
            }
            if scanned + 1 < end {
                guard bytes[scanned + 1] == ASCII.lineFeed else {
                    throw .badRequest("A carriage return is not followed by a line feed.")
                }
                let line = start..<scanned
                scanned += 2
                start = scanned
                return .complete(line)
            }
        }
        return end == limit ? .tooLong(start..<end) : .incomplete
    }

    private static func complaint(about byte: UInt8) -> String {
        guard byte != ASCII.lineFeed else { return "A line feed is not preceded by a carriage return." }
        var digits: [UInt8] = []
        digits.append(hexadecimal: byte)
        return "There is a control character, 0x\(digits.text(0..<2)), in the head or in a chunk's framing."
    }
}

extension Span<UInt8> {
    /// The index of the first control character but HTAB in `start..<end`, or `end`.
    func firstControl(from start: Int, to end: Int) -> Int {
        precondition(start >= 0 && end <= count)
        var index = start
        // Sixteen at a time without a branch, which the compiler turns into vector instructions.
        while index &+ 16 <= end {
            var hits: UInt8 = 0
            for offset in 0..<16 {
                let byte = self[unchecked: index &+ offset]
                hits |= (byte < 0x20 ? 1 : 0) | (byte == 0x7F ? 1 : 0)
            }
            if hits != 0 { break }
            index &+= 16
        }
        while index < end {
            let byte = self[unchecked: index]
            if byte < 0x20 && byte != ASCII.tab || byte == 0x7F { return index }
            index &+= 1
        }
        return end
    }
}
