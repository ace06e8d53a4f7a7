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
                line.append(bytes[index])
                index += 1
                if line[line.count - 1] == ASCII.lineFeed {
                    try takeLine(&head)
                    line.removeAll(keepingCapacity: true)
                } else if line.count >= maximumLine(head) {
                    throw isTrailer ? .headTooLarge : Self.malformed
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

    /// Takes the complete line in `line`.
    private mutating func takeLine(_ head: inout ResponseHead) throws(ResponseHead.Malformed) {
        let end = line.count - 2
        switch stage {
        case .trailer:
            if end == 0, line[0] == ASCII.carriageReturn {
                stage = .finished
            } else {
                try head.take(line.span)
            }
        case .dataEnd:
            guard end == 0, line[0] == ASCII.carriageReturn else { throw Self.malformed }
            stage = .size
        case .size, .data, .finished:
            guard end > 0, line[end] == ASCII.carriageReturn,
                line[..<end].allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == ASCII.tab }),
                let size = try? ChunkedDecoder.readSize(line.span, 0..<end).size
            else { throw Self.malformed }
            stage = size == 0 ? .trailer : .data(size)
        }
    }

    private static var malformed: ResponseHead.Malformed { .init("its chunked coding is malformed") }
}
