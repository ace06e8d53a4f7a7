/// Finds what stands in a text, by code points: hashtags, mentions and links.
struct EntityFinder {
    private static let stride = 64
    private let bytes: [UInt8]
    /// Where every 64th code point begins: no index is far from one of them.
    private let marks: [Int]
    /// Where words can begin, by their first byte; each is looked for once.
    private var starts: [UInt8: [Int]] = [:]
    /// How many bytes may yet be looked at: texts, and what is said to stand in them, have no end.
    private var left = 256 << 10

    /// Looks into `text`.
    init(_ text: String) {
        bytes = Array(text.utf8)
        var marks: [Int] = [], count = 0
        marks.reserveCapacity(bytes.count / Self.stride + 1)
        for offset in bytes.indices where bytes[offset] & 0xC0 != 0x80 {
            if count % Self.stride == 0 { marks.append(offset) }
            count += 1
        }
        if count % Self.stride == 0 { marks.append(bytes.count) }
        self.marks = marks
    }

    /// Whether the text reaches as far as `range`.
    func contains(_ range: CodePointRange) -> Bool { offset(of: range.end) != nil }

    /// What stands at `range`; nil where the text does not reach as far.
    func text(at range: CodePointRange) -> String? {
        guard let start = offset(of: range.start), let end = offset(of: range.end) else { return nil }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Whether exactly what is spelled so stands at `range`, as it is or in other ASCII case.
    func holds(_ spelling: EntitySpelling, at range: CodePointRange) -> Bool {
        guard let word = spelling.word, let start = offset(of: range.start), let end = offset(of: range.end)
        else { return false }
        let wordStart = end - word.utf8.count
        return wordStart >= start && stands(word.utf8.span, at: wordStart)
            && spelling.signs.contains {
                $0.utf8.count == wordStart - start && stands($0.utf8.span, at: start)
            }
    }

    /// Where one of `spellings` stands as a word of its own; nil where none does, or more than one time.
    ///
    /// After some thousand places that are almost right, or in a text of a quarter of a million letters, nothing is found.
    mutating func find(_ spellings: [String]) -> CodePointRange? {
        var found: Range<Int>?
        for spelling in spellings {
            let word = spelling.utf8.span
            guard word.count > 0, word.count <= bytes.count else { continue }
            let first = word[0]
            let bounds = WordBounds(of: spelling)
            for start in starts(of: first) where start <= bytes.count - word.count {
                let equal = length(of: word, at: start)
                left -= equal
                guard left >= 0 else { break }
                let range = start..<(start + word.count)
                guard equal == word.count, bounds.lie(around: range, in: bytes) else { continue }
                if found != nil { return nil }
                found = range
            }
        }
        guard left >= 0 else { return nil }
        return found.map { CodePointRange(codePoints(before: $0.lowerBound), codePoints(before: $0.upperBound)) }
    }

    private mutating func starts(of first: UInt8) -> [Int] {
        if let starts = starts[first] { return starts }
        left -= bytes.count
        guard left >= 0 else { return [] }
        let found = bytes.indices.filter { Self.isEqual(bytes[$0], first) }
        starts[first] = found
        return found
    }

    private func stands(_ word: Span<UInt8>, at start: Int) -> Bool { length(of: word, at: start) == word.count }

    /// How much of `word` stands at `start`.
    private func length(of word: Span<UInt8>, at start: Int) -> Int {
        var length = 0
        while length < word.count, Self.isEqual(bytes[start + length], word[length]) { length += 1 }
        return length
    }

    private static func isEqual(_ left: UInt8, _ right: UInt8) -> Bool {
        if left == right { return true }
        let lower = left | 0x20
        return lower == right | 0x20 && UInt8(ascii: "a") <= lower && lower <= UInt8(ascii: "z")
    }

    /// The byte at which a code point begins; nil past the end of the text.
    private func offset(of codePoint: Int) -> Int? {
        guard codePoint >= 0, codePoint / Self.stride < marks.count else { return nil }
        var offset = marks[codePoint / Self.stride], left = codePoint % Self.stride
        while left > 0, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            left -= 1
        }
        return left == 0 ? offset : nil
    }

    private func codePoints(before offset: Int) -> Int {
        var low = 0, high = marks.count
        while low < high {
            let middle = (low + high) / 2
            if marks[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        return (low - 1) * Self.stride + bytes[marks[low - 1]..<offset].count { $0 & 0xC0 != 0x80 }
    }
}
