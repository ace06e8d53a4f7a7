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
        /// The bytes and the fields of the trailer section that have been read.
        case trailer(bytes: Int, fields: Int)
        case finished
    }

    private var stage = Stage.size
    private var lines = LineReader()
    private var extensionBytes = 0

    /// Whether the last chunk and the trailer section are complete.
    var isFinished: Bool {
        if case .finished = stage { return true }
        return false
    }

    /// Appends the data in `bytes`, which start behind those taken before, to `body`; returns the number of bytes taken.
    mutating func decode(
        _ bytes: Span<UInt8>, into body: inout [UInt8], _ limits: RequestLimits
    ) throws(RequestFailure) -> Int {
        while true {
            let line = lines.start
            switch stage {
            case .data(let count):
                let available = min(count, bytes.count - line)
                body.append(copying: bytes.extracting(line..<line + available))
                lines = LineReader(start: line + available)
                if available < count {
                    stage = .data(count - available)
                    return taken()
                }
                stage = .dataEnd
            case .size:
                guard let size = try readSizeLine(bytes, limits) else { return taken() }
                guard size <= limits.maximumBodyBytes - body.count else {
                    throw .bodyTooLarge(limits.maximumBodyBytes)
                }
                stage = size == 0 ? .trailer(bytes: 0, fields: 0) : .data(size)
            case .dataEnd:
                switch try lines.next(in: bytes, before: line + 2) {
                case .incomplete: return taken()
                case .tooLong:
                    throw .badRequest("A chunk's data is not followed by CR LF where its size says it ends.")
                case .complete: stage = .size
                }
            case .trailer(let count, let fields):
                guard let isLast = try readTrailer(bytes, count, fields, limits) else { return taken() }
                stage = isLast ? .finished : .trailer(bytes: count + lines.start - line, fields: fields + 1)
            case .finished: return taken()
            }
        }
    }

    /// Returns the number of bytes before the next line, and counts from there again.
    private mutating func taken() -> Int {
        defer { lines.dropLines() }
        return lines.start
    }

    /// Returns the size of the next chunk; nil if its line is incomplete.
    private mutating func readSizeLine(_ bytes: Span<UInt8>, _ limits: RequestLimits) throws(RequestFailure) -> Int? {
        switch try lines.next(in: bytes, before: lines.start + Self.maximumLineBytes) {
        case .incomplete: return nil
        case .tooLong: throw .badRequest("A chunk's size line is longer than \(Self.maximumLineBytes) bytes.")
        case .complete(let line):
            let (size, extensions) = try Self.readSize(bytes, line)
            extensionBytes += extensions
            guard extensionBytes <= limits.maximumHeadBytes else {
                throw .badRequest("The chunk extensions are longer than \(limits.maximumHeadBytes) bytes in all.")
            }
            return size
        }
    }

    /// Reads a line behind `count` bytes of the trailer section, and returns whether it ends it; nil if it is incomplete.
    private mutating func readTrailer(
        _ bytes: Span<UInt8>, _ count: Int, _ fields: Int, _ limits: RequestLimits
    ) throws(RequestFailure) -> Bool? {
        switch try lines.next(in: bytes, before: lines.start + limits.maximumHeadBytes - count) {
        case .incomplete: return nil
        case .tooLong:
            throw .headTooLarge("The trailer section is larger than \(limits.maximumHeadBytes) bytes.")
        case .complete(let line):
            if line.isEmpty { return true }
            guard fields < limits.maximumFields else {
                throw .headTooLarge("The trailer section has more than \(limits.maximumFields) field lines.")
            }
            _ = try HeaderFields.Field(bytes, line)
            return false
        }
    }

    /// Reads `chunk-size [ chunk-ext ]`; returns the size and the number of bytes of the extensions.
    ///
    /// White space beside a `;` or `=` is allowed only in responses: in requests it could hide one from another reader.
    static func readSize(
        _ bytes: Span<UInt8>, _ line: Range<Int>, allowingSpaces: Bool = false
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
        guard areExtensions(bytes, index..<line.upperBound, allowingSpaces) else {
            throw .badRequest("A chunk size is not followed by a valid extension.")
        }
        return (size, line.upperBound - index)
    }

    /// Whether `range` is `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )` (RFC 9112 §7.1.1).
    private static func areExtensions(_ bytes: Span<UInt8>, _ range: Range<Int>, _ allowsSpaces: Bool) -> Bool {
        func skipSpaces(from index: Int) -> Int {
            allowsSpaces
                ? bytes.end(of: { $0 == ASCII.space || $0 == ASCII.tab }, in: index..<range.upperBound) : index
        }
        var index = range.lowerBound
        while index < range.upperBound {
            index = skipSpaces(from: index)
            guard index < range.upperBound, bytes[index] == ASCII.semicolon else { return false }
            guard let nameEnd = tokenEnd(bytes, skipSpaces(from: index + 1)..<range.upperBound) else { return false }
            let mark = skipSpaces(from: nameEnd)
            guard mark < range.upperBound, bytes[mark] == ASCII.equals else {
                index = nameEnd
                continue
            }
            let value = skipSpaces(from: mark + 1)..<range.upperBound
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
