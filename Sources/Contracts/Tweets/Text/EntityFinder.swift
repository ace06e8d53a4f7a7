/// Finds what stands in a text, by code points: hashtags, mentions and links.
struct EntityFinder {
    private static let longest = 64 << 10
    private let bytes: [UInt8]
    private let isASCII: Bool

    /// Looks into `text`.
    init(_ text: String) {
        bytes = Array(text.utf8)
        isASCII = bytes.allSatisfy { $0 < 0x80 }
    }

    /// Whether the text reaches as far as `range`.
    func contains(_ range: CodePointRange) -> Bool { offset(of: range.end) != nil }

    /// What stands at `range`; nil where the text does not reach as far.
    func text(at range: CodePointRange) -> String? {
        guard let start = offset(of: range.start), let end = offset(of: range.end, from: (range.start, start)) else {
            return nil
        }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Whether exactly one of `spellings` stands at `range`, as it is or in other ASCII case.
    func holds(_ spellings: [String], at range: CodePointRange) -> Bool {
        guard let start = offset(of: range.start), let end = offset(of: range.end, from: (range.start, start)) else {
            return false
        }
        return spellings.contains { spelling in
            spelling.utf8.count == end - start && stands(Array(spelling.utf8), at: start)
        }
    }

    /// Where one of `spellings` stands as a word of its own; nil where none does, or more than one time.
    ///
    /// Texts that are longer than any upstream's are not searched.
    func find(_ spellings: [String]) -> CodePointRange? {
        guard bytes.count <= Self.longest else { return nil }
        var found: (start: Int, end: Int)?
        for spelling in spellings {
            let word = Array(spelling.utf8)
            guard !word.isEmpty, word.count <= bytes.count else { continue }
            for start in 0...(bytes.count - word.count) where stands(word, at: start) && isWord(start, word.count) {
                if found != nil { return nil }
                found = (start, start + word.count)
            }
        }
        return found.map { CodePointRange(codePoints(before: $0.start), codePoints(before: $0.end)) }
    }

    private func stands(_ word: [UInt8], at start: Int) -> Bool {
        for (index, byte) in word.enumerated() where !Self.isEqual(bytes[start + index], byte) { return false }
        return true
    }

    /// Whether nothing that could belong to a word follows.
    private func isWord(_ start: Int, _ count: Int) -> Bool {
        let end = start + count
        guard end < bytes.count else { return true }
        let next = bytes[end]
        let isLetter = UInt8(ascii: "a") <= next | 0x20 && next | 0x20 <= UInt8(ascii: "z")
        return !(isLetter || UInt8(ascii: "0") <= next && next <= UInt8(ascii: "9") || next == UInt8(ascii: "_"))
    }

    private static func isEqual(_ left: UInt8, _ right: UInt8) -> Bool {
        if left == right { return true }
        let lower = left | 0x20
        return lower == right | 0x20 && UInt8(ascii: "a") <= lower && lower <= UInt8(ascii: "z")
    }

    /// The byte at which a code point begins; nil past the end of the text.
    private func offset(of codePoint: Int, from known: (codePoint: Int, offset: Int) = (0, 0)) -> Int? {
        if isASCII { return codePoint <= bytes.count ? codePoint : nil }
        var left = codePoint - known.codePoint, offset = known.offset
        while left > 0, offset < bytes.count {
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
            left -= 1
        }
        return left == 0 ? offset : nil
    }

    private func codePoints(before offset: Int) -> Int {
        isASCII ? offset : bytes[..<offset].count { $0 & 0xC0 != 0x80 }
    }
}
