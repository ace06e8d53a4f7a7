/// Where path and query lie in the bytes of a request target, whose form was checked (RFC 9112 §3.2).
struct TargetBounds: Sendable {
    let path: Range<Int>
    let query: Range<Int>
    /// Whether a `%` is in the target.
    let hasEscapes: Bool
    /// No more than this many pairs are in the query.
    let maximumPairs: Int

    init(_ bytes: Span<UInt8>, _ scan: TargetScan, method: Method) throws(RequestFailure) {
        let pathEnd = scan.questionMark ?? scan.range.upperBound
        let pathStart = try Self.pathStart(bytes, scan, scan.range.lowerBound..<pathEnd, method)
        path = pathStart..<pathEnd
        query = (scan.questionMark.map { $0 + 1 } ?? pathEnd)..<scan.range.upperBound
        hasEscapes = scan.hasEscapes
        maximumPairs = scan.ampersands + 1
    }

    /// Where the path begins in `part`, the target up to its query.
    private static func pathStart(
        _ bytes: Span<UInt8>, _ scan: TargetScan, _ part: Range<Int>, _ method: Method
    ) throws(RequestFailure) -> Int {
        if let first = part.first, bytes[first] == ASCII.slash { return first }
        if method == .options, scan.range.count == 1, bytes[part.lowerBound] == ASCII.asterisk {
            return part.lowerBound
        }
        for scheme in ["http://", "https://"] {
            let schemeEnd = part.lowerBound + scheme.utf8.count
            guard schemeEnd < part.upperBound,
                bytes.extracting(part.lowerBound..<schemeEnd).matches(scheme)
            else { continue }
            let slash = bytes.firstIndex(of: ASCII.slash, in: schemeEnd..<part.upperBound)
            let authority = schemeEnd..<(slash ?? part.upperBound)
            guard Authority.isValid(bytes, authority), Authority.hasHost(bytes, authority) else { break }
            return authority.upperBound
        }
        throw .badRequest("The request target is neither a path nor an http URI.")
    }
}

/// One pass over a target up to the space after it: what is in it, and that nothing illegal is.
struct TargetScan {
    let range: Range<Int>
    private(set) var questionMark: Int?
    private(set) var hasEscapes = false
    private(set) var ampersands = 0

    /// Scans from the start of `line` to the first space in it or to its end.
    init(_ bytes: Span<UInt8>, _ line: Range<Int>) throws(RequestFailure) {
        precondition(line.lowerBound >= 0 && line.upperBound <= bytes.count)
        var index = line.lowerBound
        while index < line.upperBound {
            let byte = bytes[unchecked: index]
            // A number sign would open a fragment, which is never sent (RFC 9112 §3.2).
            guard ASCII.isVisible(byte), byte != ASCII.numberSign else {
                if byte == ASCII.space { break }
                // The target itself is not repeated, here and elsewhere: there may be a key in it.
                let character = bytes.excerpt(index..<index + 1)
                throw .badRequest("The request target has the unescaped illegal character \"\(character)\".")
            }
            switch byte {
            case ASCII.percent: hasEscapes = true
            case ASCII.ampersand: ampersands &+= 1
            case ASCII.questionMark where questionMark == nil: questionMark = index
            default: break
            }
            index &+= 1
        }
        range = line.lowerBound..<index
    }
}
