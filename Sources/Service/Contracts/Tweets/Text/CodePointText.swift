/// A text that is addressed by code points, and searched for hashtags, mentions and links.
struct CodePointText {
    private static let stride = 64
    private let bytes: [UInt8]
    /// The offset of every 64th code point, so that looking up an index takes at most 64 steps.
    private let marks: [Int]
    /// The offsets of each first byte that was searched for.
    private var offsets: [UInt8: [Int]] = [:]
    /// How many bytes may still be compared, so that an adversarial document takes bounded time.
    private var budget = 256 << 10

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

    /// Whether `range` is inside of the text.
    func contains(_ range: CodePointRange) -> Bool { offset(of: range.end) != nil }

    /// Whether `range` holds exactly one of `signs` and `word`, ignoring ASCII case.
    func holds(_ word: String, behind signs: [String], at range: CodePointRange) -> Bool {
        guard let start = offset(of: range.start), let end = offset(of: range.end) else { return false }
        let wordStart = end - word.utf8.count
        return wordStart >= start && commonLength(word.utf8.span, at: wordStart) == word.utf8.count
            && signs.contains {
                $0.utf8.count == wordStart - start && commonLength($0.utf8.span, at: start) == $0.utf8.count
            }
    }

    /// Returns the only position of one of `spellings` as a separate word; nil if there is none or several.
    ///
    /// Also nil once the budget is spent, which takes a text of 256 KB or thousands of near matches.
    mutating func uniqueRange(of spellings: [String]) -> CodePointRange? {
        var found: Range<Int>?
        for spelling in spellings {
            let word = spelling.utf8.span
            guard word.count > 0, word.count <= bytes.count else { continue }
            let sign = spelling.unicodeScalars.first
            for start in offsets(of: word[0]) where start <= bytes.count - word.count {
                let length = commonLength(word, at: start)
                budget -= length
                guard budget >= 0 else { break }
                let range = start..<(start + word.count)
                guard length == word.count, isWord(at: range, behind: sign) else { continue }
                if found != nil { return nil }
                found = range
            }
        }
        guard budget >= 0 else { return nil }
        return found.map { CodePointRange(codePoints(before: $0.lowerBound), codePoints(before: $0.upperBound)) }
    }

    private mutating func offsets(of first: UInt8) -> [Int] {
        if let offsets = offsets[first] { return offsets }
        budget -= bytes.count
        guard budget >= 0 else { return [] }
        let found = bytes.indices.filter { Self.isEqual(bytes[$0], first) }
        offsets[first] = found
        return found
    }

    /// Returns how many bytes of `word` are at `start`.
    private func commonLength(_ word: Span<UInt8>, at start: Int) -> Int {
        var length = 0
        while length < word.count, Self.isEqual(bytes[start + length], word[length]) { length += 1 }
        return length
    }

    private static func isEqual(_ left: UInt8, _ right: UInt8) -> Bool {
        if left == right { return true }
        let lower = left | 0x20
        return lower == right | 0x20 && UInt8(ascii: "a") <= lower && lower <= UInt8(ascii: "z")
    }

    /// Returns the offset of a code point; nil past the end of the text.
    private func offset(of codePoint: Int) -> Int? {
        guard codePoint >= 0, codePoint / Self.stride < marks.count else { return nil }
        var offset = marks[codePoint / Self.stride], steps = codePoint % Self.stride
        while steps > 0, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            steps -= 1
        }
        return steps == 0 ? offset : nil
    }

    private func codePoints(before offset: Int) -> Int {
        guard let mark = marks.lastIndex(where: { $0 <= offset }) else { return 0 }
        return mark * Self.stride + bytes[marks[mark]..<offset].count { $0 & 0xC0 != 0x80 }
    }

    /// Whether a hashtag, a mention or a link starts at the start of `range` and ends at its end.
    private func isWord(at range: Range<Int>, behind sign: Unicode.Scalar?) -> Bool {
        let before = bytes[..<range.lowerBound].lastIndex { $0 & 0xC0 != 0x80 }.flatMap(scalar)
        let after = scalar(at: range.upperBound)
        switch sign {
        case "#", "＃", "$": return before?.isInWord != true && before != "/" && after?.isInWord != true
        // Names and addresses are ASCII: other letters may follow without a space, as they do in Japanese.
        case "@", "＠":
            return before?.isInASCIIWord != true && before != "/" && after?.isInASCIIWord != true && after != "@"
        default: return after?.isInASCIIWord != true && after.map { "/?#=&%".unicodeScalars.contains($0) } != true
        }
    }

    private func scalar(at offset: Int) -> Unicode.Scalar? {
        String(decoding: bytes[offset...].prefix(4), as: UTF8.self).unicodeScalars.first
    }
}

extension Unicode.Scalar {
    /// Whether this is a letter, a mark, a digit or an underscore.
    fileprivate var isInWord: Bool {
        if isASCII { return isInASCIIWord }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber: return true
        default: return properties.isAlphabetic
        }
    }

    fileprivate var isInASCIIWord: Bool {
        isASCII && (self == "_" || properties.isAlphabetic || properties.numericType != nil)
    }
}
