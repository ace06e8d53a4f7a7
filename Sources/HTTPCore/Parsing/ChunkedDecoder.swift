/// Decodes the chunked coding of a body as the bytes arrive (RFC 9112 §7.1).
///
/// Extensions and trailer fields are checked and dropped. `maximumLineBytes` limits a size line; the limits of the head
/// apply to all extensions together and to the trailer section.
struct ChunkedDecoder: Sendable {
    /// The longest size line with its extensions and CRLF.
    private static let maximumLineBytes = 256
    /// The maximum number of a size's digits; a proxy that overflows on more would see another size.
    private static let maximumSizeDigits = 16

    private enum Stage {
        case size
        /// The number of bytes of the chunk that are still missing.
        case data(Int)
        case dataEnd
        case trailer(start: Int, fields: Int)
    }

    private enum Progress {
        case advanced
        case needsMore
        case finished
    }

    private var stage = Stage.size
    private var position: Int
    private var lines: LineReader
    private var extensionBytes = 0
    /// The data of the chunks read so far.
    private(set) var body: [UInt8] = []

    /// A decoder for a body that starts at the offset `start` of the bytes given to `decode`.
    init(start: Int) {
        position = start
        lines = LineReader(start: start)
    }

    /// Returns the offset after the body once `bytes` contain all of it; nil before.
    mutating func decode(_ bytes: Span<UInt8>, _ limits: RequestLimits) throws(RequestFailure) -> Int? {
        while true {
            let progress =
                switch stage {
                case .size: try readSizeLine(bytes, limits)
                case .data(let count): readData(bytes, count)
                case .dataEnd: try readDataEnd(bytes)
                case .trailer(let start, let fields): try readTrailer(bytes, start, fields, limits)
                }
            switch progress {
            case .advanced: continue
            case .needsMore: return nil
            case .finished: return lines.start
            }
        }
    }

    private mutating func readSizeLine(
        _ bytes: Span<UInt8>, _ limits: RequestLimits
    ) throws(RequestFailure) -> Progress {
        switch try lines.next(in: bytes, before: position + Self.maximumLineBytes) {
        case .incomplete: return .needsMore
        case .tooLong: throw .badRequest("A chunk's size line is longer than \(Self.maximumLineBytes) bytes.")
        case .complete(let line):
            let (size, extensions) = try Self.readSize(bytes, line)
            extensionBytes += extensions
            guard extensionBytes <= limits.maximumHeadBytes else {
                throw .badRequest("The chunk extensions are longer than \(limits.maximumHeadBytes) bytes in all.")
            }
            guard size <= limits.maximumBodyBytes - body.count else { throw .bodyTooLarge(limits) }
            position = lines.start
            stage = size == 0 ? .trailer(start: position, fields: 0) : .data(size)
            return .advanced
        }
    }

    /// Reads `chunk-size [ chunk-ext ]`; returns the size and the number of bytes of the extensions.
    static func readSize(
        _ bytes: Span<UInt8>, _ line: Range<Int>
    ) throws(RequestFailure) -> (size: Int, extensions: Int) {
        var value: UInt64 = 0
        var index = line.lowerBound
        while index < line.upperBound, let digit = ASCII.hexValue(bytes[index]) {
            value = value << 4 | UInt64(digit)
            index += 1
        }
        guard 1...maximumSizeDigits ~= index - line.lowerBound, let size = Int(exactly: value) else {
            throw .badRequest("A chunk size is not a hexadecimal number.")
        }
        guard areExtensions(bytes, index..<line.upperBound) else {
            throw .badRequest("A chunk size is not followed by a valid extension.")
        }
        return (size, line.upperBound - index)
    }

    private mutating func readData(_ bytes: Span<UInt8>, _ count: Int) -> Progress {
        let available = min(count, bytes.count - position)
        guard available > 0 else { return .needsMore }
        body.append(copying: bytes.extracting(position..<position + available))
        position += available
        lines = LineReader(start: position)
        stage = available == count ? .dataEnd : .data(count - available)
        return .advanced
    }

    private mutating func readDataEnd(_ bytes: Span<UInt8>) throws(RequestFailure) -> Progress {
        switch try lines.next(in: bytes, before: position + 2) {
        case .incomplete: return .needsMore
        case .tooLong: throw .badRequest("A chunk's data is not followed by CR LF where its size says it ends.")
        case .complete:
            position = lines.start
            stage = .size
            return .advanced
        }
    }

    private mutating func readTrailer(
        _ bytes: Span<UInt8>, _ start: Int, _ fields: Int, _ limits: RequestLimits
    ) throws(RequestFailure) -> Progress {
        switch try lines.next(in: bytes, before: start + limits.maximumHeadBytes) {
        case .incomplete: return .needsMore
        case .tooLong:
            throw .headTooLarge("The trailer section is larger than \(limits.maximumHeadBytes) bytes.")
        case .complete(let line):
            guard !line.isEmpty else { return .finished }
            guard fields < limits.maximumFields else {
                throw .headTooLarge("The trailer section has more than \(limits.maximumFields) field lines.")
            }
            _ = try HeaderFields.Field(bytes, line)
            stage = .trailer(start: start, fields: fields + 1)
            return .advanced
        }
    }

    /// Whether `range` is `*( ";" name [ "=" ( token / quoted-string ) ] )`, without BWS (RFC 9112 §7.1.1).
    private static func areExtensions(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            guard bytes[index] == ASCII.semicolon else { return false }
            guard let nameEnd = tokenEnd(bytes, index + 1..<range.upperBound) else { return false }
            index = nameEnd
            guard index < range.upperBound, bytes[index] == ASCII.equals else { continue }
            let value = index + 1..<range.upperBound
            guard let valueEnd = tokenEnd(bytes, value) ?? quotedStringEnd(bytes, value) else { return false }
            index = valueEnd
        }
        return true
    }

    /// The end of the token at the start of `range`, or nil if there is none.
    private static func tokenEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        let end = bytes.end(of: ASCII.isTokenCharacter, in: range)
        return end > range.lowerBound ? end : nil
    }

    /// The end of the quoted string at the start of `range`, or nil if there is none or it is not closed.
    private static func quotedStringEnd(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
        guard let first = range.first, bytes[first] == ASCII.quote else { return nil }
        var index = first + 1
        while index < range.upperBound {
            switch bytes[index] {
            case ASCII.quote: return index + 1
            case ASCII.backslash: index += 2
            default: index += 1
            }
        }
        return nil
    }
}
