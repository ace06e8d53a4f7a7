/// The query of a request target as `name=value` pairs, in order, duplicates kept.
///
/// Names and values are decoded from percent-encoding with `+` as a space. A pair without `=` has an empty value; an
/// empty pair (`a&&b`) is passed over. The pairs stay bytes until they are asked for.
public struct Query: Sendable {
    let bytes: [UInt8]
    let range: Range<Int>

    /// The query in `range`, whose escapes are known to be right.
    private init(validated bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// The query of a scanned target, looked at once more only when something in it can be wrong.
    init(_ bytes: [UInt8], _ bounds: TargetBounds, maximumParameters: Int) throws(RequestFailure) {
        self.init(validated: bytes, bounds.query)
        guard bounds.hasEscapes || bounds.maximumPairs > maximumParameters else { return }
        try validate(maximumParameters)
    }

    /// A query made from text without its `?`, such as `lat=37.8&lon=-122.4`; nil when an escape in it is wrong.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(validated: bytes, 0..<bytes.count)
        guard (try? validate(.max)) != nil else { return nil }
    }

    private func validate(_ maximumParameters: Int) throws(RequestFailure) {
        let span = bytes.span
        var pairs = PairRanges(range)
        var count = 0
        while let pair = pairs.next(in: span) {
            count += 1
            guard count <= maximumParameters else {
                throw .badRequest("The query has more than \(maximumParameters) parameters.")
            }
            for part in [pair.name, pair.value] where decoded(part) == nil {
                throw .badRequest("The query part \"\(span.excerpt(part))\" does not decode to UTF-8 text.")
            }
        }
    }

    /// Whether there are no pairs, as for `?` alone.
    public var isEmpty: Bool {
        var pairs = PairRanges(range)
        return pairs.next(in: bytes.span) == nil
    }

    /// The query as it came, without the `?`.
    public var rawValue: String { bytes.text(range) }

    /// The bytes of the query as they came, without the `?`; costs no allocation.
    public var rawBytes: ArraySlice<UInt8> { bytes[range] }

    /// All pairs, decoded.
    public var pairs: [(name: String, value: String)] {
        var decodedPairs: [(name: String, value: String)] = []
        var pairs = PairRanges(range)
        while let pair = pairs.next(in: bytes.span) {
            decodedPairs.append((decoded(pair.name) ?? "", decoded(pair.value) ?? ""))
        }
        return decodedPairs
    }

    /// The value of the first pair called `name`, decoded; the name's letter case counts.
    public subscript(name: String) -> String? {
        var pairs = PairRanges(range)
        while let pair = pairs.next(in: bytes.span) {
            if isName(pair, name) { return decoded(pair.value) }
        }
        return nil
    }

    /// The values of all pairs called `name`, decoded, in order.
    public func values(_ name: String) -> [String] {
        var values: [String] = []
        var pairs = PairRanges(range)
        while let pair = pairs.next(in: bytes.span) {
            if isName(pair, name), let value = decoded(pair.value) { values.append(value) }
        }
        return values
    }

    private func isName(_ pair: PairRanges.Pair, _ name: String) -> Bool {
        if pair.hasEscapes { return decoded(pair.name) == name }
        let utf8 = name.utf8
        guard utf8.count == pair.name.count else { return false }
        let other = utf8.span
        for offset in 0..<other.count where bytes[pair.name.lowerBound + offset] != other[offset] { return false }
        return true
    }

    private func decoded(_ part: Range<Int>) -> String? {
        PercentCoding.decode(bytes.span.extracting(part), plusIsSpace: true)
    }
}

/// Walks the pairs of a query.
private struct PairRanges {
    struct Pair: Equatable {
        let name: Range<Int>
        let value: Range<Int>
        /// Whether a `%` or `+` is in the pair.
        let hasEscapes: Bool
    }

    private var position: Int
    private let end: Int

    init(_ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
    }

    mutating func next(in bytes: Span<UInt8>) -> Pair? {
        while position < end {
            let start = position
            var equals: Int?
            var hasEscapes = false
            while position < end, bytes[position] != ASCII.ampersand {
                switch bytes[position] {
                case ASCII.equals: equals = equals ?? position
                case ASCII.percent, ASCII.plus: hasEscapes = true
                default: break
                }
                position += 1
            }
            let pairEnd = position
            position += 1
            guard start < pairEnd else { continue }
            let nameEnd = equals ?? pairEnd
            return Pair(
                name: start..<nameEnd, value: min(nameEnd + 1, pairEnd)..<pairEnd, hasEscapes: hasEscapes)
        }
        return nil
    }
}
