/// Reads a response's chunked body from fragments, each once, and passes its data on (RFC 9112 §7.1).
///
/// Extensions and trailer fields are checked, counted and dropped.
package struct ChunkedReader: Sendable {
    /// The longest size line with its extensions and CRLF.
    private static let maximumLineBytes = 256

    private enum Stage {
        case size
        /// The number of bytes of the chunk that are still missing.
        case data(Int)
        case dataEnd
        case trailer
        case finished
    }

    private var stage = Stage.size
    /// The part of a size line or trailer line that has arrived.
    private var line: [UInt8] = []

    package init() {}

    /// Whether the last chunk and the trailer section are complete.
    package var isFinished: Bool {
        if case .finished = stage { return true }
        return false
    }

    /// Appends the data in `bytes` to `body`, counts trailer lines in `head`, and returns the number of bytes that
    /// belong to the body.
    package mutating func take(
        _ bytes: Span<UInt8>, into body: inout [UInt8], _ head: inout ResponseHead
    ) throws(ResponseHead.Malformed) -> Int {
        var index = 0
        while index < bytes.count {
            switch stage {
            case .finished: return index
            case .data(let count):
                let available = min(count, bytes.count - index)
                body.append(copying: bytes.extracting(index..<index + available))
                index += available
                stage = available == count ? .dataEnd : .data(count - available)
            case .size, .dataEnd, .trailer:
                let (start, end) = (index, min(bytes.count, index + maximumLine(head) - line.count))
                while index < end, bytes[index] != ASCII.lineFeed { index += 1 }
                guard index < end else {
                    if end < bytes.count { throw isTrailer ? .headTooLarge : Self.malformed }
                    line.append(copying: bytes.extracting(start..<end))
                    return end
                }
                index += 1
                if line.isEmpty {
                    try takeLine(bytes.extracting(start..<index), &head)
                } else {
                    line.append(copying: bytes.extracting(start..<index))
                    let whole = line
                    line = []
                    try takeLine(whole.span, &head)
                }
            }
        }
        return index
    }

    private var isTrailer: Bool {
        if case .trailer = stage { return true }
        return false
    }

    private func maximumLine(_ head: ResponseHead) -> Int { isTrailer ? head.remainingBytes : Self.maximumLineBytes }

    /// Takes a complete line.
    private mutating func takeLine(
        _ line: Span<UInt8>, _ head: inout ResponseHead
    ) throws(ResponseHead.Malformed) {
        let end = line.count - 2
        switch stage {
        case .trailer:
            if end == 0, line[0] == ASCII.carriageReturn {
                stage = .finished
            } else {
                try head.take(line)
            }
        case .dataEnd:
            guard end == 0, line[0] == ASCII.carriageReturn else { throw Self.malformed }
            stage = .size
        case .size, .data, .finished:
            guard end > 0, line[end] == ASCII.carriageReturn,
                line.firstControl(in: 0..<end) == end,
                let size = try? ChunkedDecoder.readSize(line, 0..<end, allowingSpaces: true).size
            else { throw Self.malformed }
            stage = size == 0 ? .trailer : .data(size)
        }
    }

    private static var malformed: ResponseHead.Malformed { .init("its chunked coding is malformed") }
}
