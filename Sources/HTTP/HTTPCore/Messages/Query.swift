/// The query of a request target as `name=value` pairs, in order, duplicates kept.
///
/// Names and values are percent-decoded, with `+` as a space. A pair without `=` has an empty value; an empty pair
/// (`a&&b`) is skipped. The pairs stay bytes until they are read.
public struct Query: Sendable {
    let bytes: [UInt8]
    let range: Range<Int>

    private init(validated bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        self.range = range
    }

    /// The query of a scanned target; validated only if the scan found something that can be malformed.
    init(_ bytes: [UInt8], _ target: TargetScan, maximumParameters: Int) throws(RequestFailure) {
        self.init(validated: bytes, target.query)
        guard target.hasEscapes || target.ampersands >= maximumParameters else { return }
        try validate(maximumParameters)
    }

    /// The query `text`, without its `?`, such as `lat=37.8&lon=-122.4`; nil if an escape in it is malformed.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        self.init(validated: bytes, 0..<bytes.count)
        guard (try? validate(.max)) != nil else { return nil }
    }

    private func validate(_ maximumParameters: Int) throws(RequestFailure) {
        for (index, pair) in parts.enumerated() {
            guard index < maximumParameters else {
                throw .badRequest("The query has more than \(maximumParameters) parameters.")
            }
            for part in [pair.name, pair.value] where decoded(part) == nil {
                throw .badRequest("A name or a value in the query does not decode to UTF-8 text.")
            }
        }
    }

    /// Whether there are no pairs, as for `?` alone.
    public var isEmpty: Bool { !parts.contains { _ in true } }

    /// The query as received, without the `?`.
    public var rawValue: String { bytes.text(range) }

    /// All pairs, decoded.
    public var pairs: [(name: String, value: String)] {
        parts.map { (decoded($0.name) ?? "", decoded($0.value) ?? "") }
    }

    /// The decoded value of the first pair called `name`, in the same letter case.
    public subscript(name: String) -> String? {
        for pair in parts where isName(pair.name, name) { return decoded(pair.value) }
        return nil
    }

    /// The decoded values of all pairs called `name`, in order.
    public func values(_ name: String) -> [String] {
        parts.filter { isName($0.name, name) }.compactMap { decoded($0.value) }
    }

    private var parts: PairSequence { PairSequence(bytes: bytes, range: range) }

    private func isName(_ part: Range<Int>, _ name: String) -> Bool {
        let hasEscapes = bytes[part].contains { $0 == ASCII.percent || $0 == ASCII.plus }
        return hasEscapes ? decoded(part) == name : bytes.span.equals(part, name)
    }

    private func decoded(_ part: Range<Int>) -> String? {
        PercentCoding.decode(bytes.span.extracting(part), plusIsSpace: true)
    }
}

/// The positions of the names and values of a query.
private struct PairSequence: Sequence, IteratorProtocol {
    let bytes: [UInt8]
    var range: Range<Int>

    mutating func next() -> (name: Range<Int>, value: Range<Int>)? {
        while !range.isEmpty {
            let end = bytes.span.firstIndex(of: ASCII.ampersand, in: range) ?? range.upperBound
            let pair = range.lowerBound..<end
            range = Swift.min(end + 1, range.upperBound)..<range.upperBound
            guard !pair.isEmpty else { continue }
            let nameEnd = bytes.span.firstIndex(of: ASCII.equals, in: pair) ?? end
            return (pair.lowerBound..<nameEnd, Swift.min(nameEnd + 1, end)..<end)
        }
        return nil
    }
}
