/// Takes the chunked coding off a body, as the bytes arrive (RFC 9112 §7.1).
///
/// Extensions and trailer fields are checked and dropped. What arrives around the data is bounded: a size line by
/// `maximumLineBytes`, all extensions together and the trailer section by the limits of the head.
struct ChunkedDecoder: Sendable {
    /// The longest line with a size and its extensions, CRLF included.
    static let maximumLineBytes = 256

    private enum Stage {
        case size
        /// How many bytes of the chunk are still to come.
        case data(Int)
        case dataEnd
        case trailer(start: Int, fields: Int)
    }

    private var stage = Stage.size
    private var position: Int
    private var lines: LineReader
    private var extensionBytes = 0
    /// The data of the chunks read so far.
    private(set) var body: [UInt8] = []

    /// A decoder for a body that starts at the offset `start` of what `decode` is given.
    init(start: Int) {
        position = start
        lines = LineReader(start: start)
    }

    /// The offset after the body, once `bytes` hold all of it.
    mutating func decode(_ bytes: Span<UInt8>, _ limits: RequestLimits) throws(RequestFailure) -> Int? {
        while true {
            let goesOn =
                switch stage {
                case .size: try readSize(bytes, limits)
                case .data(let count): readData(bytes, count)
                case .dataEnd: try readDataEnd(bytes)
                case .trailer(let start, let fields): try readTrailer(bytes, start, fields, limits)
                }
            guard let goesOn else { return lines.start }
            guard goesOn else { return nil }
        }
    }

    // Each step says whether it came further (true), needs more bytes (false) or found the end (nil).

    private mutating func readSize(_ bytes: Span<UInt8>, _ limits: RequestLimits) throws(RequestFailure) -> Bool? {
        switch try lines.next(in: bytes, before: position + Self.maximumLineBytes) {
        case .incomplete: return false
        case .tooLong: throw .badRequest("A chunk's size line is longer than \(Self.maximumLineBytes) bytes.")
        case .complete(let line):
            let chunk = try ChunkSize(bytes, line)
            extensionBytes += chunk.extensionBytes
            guard extensionBytes <= limits.maximumHeadBytes else {
                throw .badRequest("The chunk extensions are longer than \(limits.maximumHeadBytes) bytes in all.")
            }
            guard chunk.size <= limits.maximumBodyBytes - body.count else { throw .bodyTooLarge(limits) }
            position = lines.start
            stage = chunk.size == 0 ? .trailer(start: position, fields: 0) : .data(chunk.size)
            return true
        }
    }

    private mutating func readData(_ bytes: Span<UInt8>, _ count: Int) -> Bool? {
        let available = min(count, bytes.count - position)
        guard available > 0 else { return false }
        body.append(copying: bytes.extracting(position..<position + available))
        position += available
        stage = available == count ? .dataEnd : .data(count - available)
        return true
    }

    private mutating func readDataEnd(_ bytes: Span<UInt8>) throws(RequestFailure) -> Bool? {
        let expected = [ASCII.carriageReturn, ASCII.lineFeed]
        for (offset, byte) in expected.enumerated() {
            guard position + offset < bytes.count else { return false }
            guard bytes[position + offset] == byte else {
                throw .badRequest("A chunk's data is not followed by CR LF where its size says it ends.")
            }
        }
        position += 2
        lines = LineReader(start: position)
        stage = .size
        return true
    }

    private mutating func readTrailer(
        _ bytes: Span<UInt8>, _ start: Int, _ fields: Int, _ limits: RequestLimits
    ) throws(RequestFailure) -> Bool? {
        switch try lines.next(in: bytes, before: start + limits.maximumHeadBytes) {
        case .incomplete: return false
        case .tooLong:
            throw .headTooLarge("The trailer section is larger than \(limits.maximumHeadBytes) bytes.")
        case .complete(let line):
            guard !line.isEmpty else { return nil }
            guard fields < limits.maximumFields else {
                throw .headTooLarge("The trailer section has more than \(limits.maximumFields) field lines.")
            }
            _ = try FieldLine.parse(bytes, line)
            stage = .trailer(start: start, fields: fields + 1)
            return true
        }
    }
}
