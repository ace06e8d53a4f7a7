/// Reads a response's chunked body from fragments, each once, and passes its data on (RFC 9112 §7.1).
///
/// Extensions and trailer fields are checked, counted and dropped.
package struct ChunkedReader: Sendable {
    /// The longest size line with its extensions and CRLF.
    private static let maximumLineBytes = 256
    /// The maximum number of a size's digits; a proxy that overflows on more would see another size.
    private static let maximumSizeDigits = 16

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
                let size = Self.readSize(line, 0..<end)
            else { throw Self.malformed }
            stage = size == 0 ? .trailer : .data(size)
        }
    }

    private static var malformed: ResponseHead.Malformed { .init("its chunked coding is malformed") }

    /// Returns the size in `chunk-size [ chunk-ext ]`; nil if the line is malformed.
    private static func readSize(_ bytes: Span<UInt8>, _ line: Range<Int>) -> Int? {
        var value: UInt64 = 0
        var index = line.lowerBound
        while index < line.upperBound, let digit = ASCII.hexValue(bytes[index]) {
            value = value << 4 | UInt64(digit)
            index += 1
        }
        guard 1...maximumSizeDigits ~= index - line.lowerBound, areExtensions(bytes, index..<line.upperBound) else {
            return nil
        }
        return Int(exactly: value)
    }

    /// Whether `range` is `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] )` (RFC 9112 §7.1.1).
    private static func areExtensions(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        func skipSpaces(from index: Int) -> Int {
            bytes.end(of: { $0 == ASCII.space || $0 == ASCII.tab }, in: index..<range.upperBound)
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
