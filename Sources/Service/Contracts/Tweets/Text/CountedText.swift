/// The unit of the indices of an upstream.
package enum TextUnit: String, Sendable, CaseIterable {
    /// Unicode code points, as the contract's indices.
    case codePoints
    /// Units of UTF-16, as the indices of texts in JavaScript.
    case utf16
    /// Bytes of UTF-8.
    case bytes
}

/// A text whose code points are found by indices in other units.
struct CountedText {
    private let text: String, unit: TextUnit
    /// The index of each code point and of the end, in units; made for the first range.
    private lazy var starts: [Int] = {
        var starts = [0]
        starts.reserveCapacity(text.utf8.count + 1)
        for scalar in text.unicodeScalars {
            let length = unit == .bytes ? UTF8.width(scalar) : UTF16.width(scalar)
            starts.append(starts[starts.count - 1] + length)
        }
        return starts
    }()

    init(_ text: String, _ unit: TextUnit) { (self.text, self.unit) = (text, unit) }

    /// Returns a range in code points; nil if an end of it is not the start of a code point or the end of the text.
    ///
    /// Code points need no table: the locator sees whether the range is inside of the text.
    mutating func position(of range: CodePointRange) -> CodePointRange? {
        if unit == .codePoints { return range }
        guard let start = index(of: range.start), let end = index(of: range.end) else { return nil }
        return CodePointRange(start, end)
    }

    private mutating func index(of offset: Int) -> Int? {
        var low = 0, high = starts.count
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low < starts.count && starts[low] == offset ? low : nil
    }
}
