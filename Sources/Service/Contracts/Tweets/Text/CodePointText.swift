/// A text that is addressed by code points, and searched for hashtags, mentions and links.
struct CodePointText {
    private var scalars: [Unicode.Scalar] = []
    /// The indices of each first code point that was searched for.
    private var indices: [Unicode.Scalar: [Int]] = [:]
    /// How many code points may still be compared, so that an adversarial document takes bounded time.
    private var budget = 256 << 10

    init(_ text: String) {
        // `Array(text.unicodeScalars)` counts them first, which takes as long again.
        scalars.append(addingCapacity: text.utf8.count) { room in
            for scalar in text.unicodeScalars { room.append(scalar) }
        }
    }

    /// Whether `range` is inside of the text.
    func contains(_ range: CodePointRange) -> Bool {
        0 <= range.start && range.start <= range.end && range.end <= scalars.count
    }

    /// Returns a part of the text; no text if it ends after the text.
    func text(at range: CodePointRange) -> String {
        contains(range) ? String(String.UnicodeScalarView(scalars[range.start..<range.end])) : ""
    }

    /// Whether `range` holds exactly one of `signs` and `word`, ignoring ASCII case.
    func holds(_ word: String, behind signs: [String], at range: CodePointRange) -> Bool {
        guard contains(range) else { return false }
        let text = scalars[range.start..<range.end]
        return signs.contains { sign in
            text.starts(with: sign.unicodeScalars, by: Self.areEqual)
                && text.dropFirst(sign.unicodeScalars.count).elementsEqual(word.unicodeScalars, by: Self.areEqual)
        }
    }

    /// Returns the only position of one of `spellings` as a separate word; nil if there is none or several.
    ///
    /// Also nil once the budget is spent, which takes a text of 256 KB or thousands of near matches.
    mutating func uniqueRange(of spellings: [String]) -> CodePointRange? {
        var found: CodePointRange?
        for spelling in spellings {
            let word = Array(spelling.unicodeScalars)
            guard let first = word.first, word.count <= scalars.count else { continue }
            for start in indices(of: first) where start <= scalars.count - word.count {
                let range = start..<start + word.count
                let length = zip(scalars[range], word).lazy.prefix { Self.areEqual($0, $1) }.count
                budget -= length
                guard budget >= 0 else { return nil }
                guard length == word.count, isWord(at: range, behind: first) else { continue }
                if found != nil { return nil }
                found = CodePointRange(range.lowerBound, range.upperBound)
            }
        }
        return budget >= 0 ? found : nil
    }

    private mutating func indices(of first: Unicode.Scalar) -> [Int] {
        if let known = indices[first] { return known }
        budget -= scalars.count
        guard budget >= 0 else { return [] }
        let found = scalars.indices.filter { Self.areEqual(scalars[$0], first) }
        indices[first] = found
        return found
    }

    private static func areEqual(_ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool {
        let lower = left.value | 0x20
        return left == right || lower == right.value | 0x20 && 0x61...0x7A ~= lower
    }

    /// Whether a hashtag, a mention or a link starts at the start of `range` and ends at its end.
    private func isWord(at range: Range<Int>, behind sign: Unicode.Scalar) -> Bool {
        let before = range.lowerBound > 0 ? scalars[range.lowerBound - 1] : nil
        let after = range.upperBound < scalars.count ? scalars[range.upperBound] : nil
        switch sign {
        case "#", "＃", "$": return before?.isInWord != true && before != "/" && after?.isInWord != true
        // Names and addresses are ASCII: other letters may follow without a space, as they do in Japanese.
        case "@", "＠":
            return before?.isInASCIIWord != true && before != "/" && after?.isInASCIIWord != true && after != "@"
        default: return after?.isInASCIIWord != true && after.map { "/?#=&%".unicodeScalars.contains($0) } != true
        }
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

/// A text with its HTML character references resolved, and a map from the old code point indices to the new ones.
struct UnescapedText {
    let text: String
    /// For each reference, the old index after it, and the number of code points removed up to there.
    private var references: [(end: Int, removed: Int)] = []

    /// Resolves the references in `text`, each once: `&amp;lt;` becomes `&lt;`.
    init(_ text: String) {
        guard text.utf8.span.contains(UInt8(ascii: "&")) else {
            self.text = text
            return
        }
        let bytes = text.utf8.span
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count)
        var index = 0, codePoints = 0, removed = 0
        while index < bytes.count {
            if let reference = CharacterReference(in: bytes, at: index) {
                plain += String(reference.character).utf8
                index += reference.length
                codePoints += reference.length
                removed += reference.length - 1
                references.append((codePoints, removed))
                continue
            }
            if bytes[index] & 0xC0 != 0x80 { codePoints += 1 }
            plain.append(bytes[index])
            index += 1
        }
        self.text = String(decoding: plain, as: UTF8.self)
    }

    /// Returns the new index of a code point; inside of a reference, that of the resolved character.
    func position(of index: Int) -> Int {
        var next = 0, end = references.count
        while next < end {
            let middle = (next + end) / 2
            if references[middle].end > index { end = middle } else { next = middle + 1 }
        }
        let removed = next == 0 ? 0 : references[next - 1].removed
        guard next < references.count else { return index - removed }
        let start = references[next].end - (references[next].removed - removed) - 1
        return min(index, start) - removed
    }

    /// Returns the new range of a part of the text.
    func position(of range: CodePointRange) -> CodePointRange {
        CodePointRange(position(of: range.start), position(of: range.end))
    }
}

/// A character reference of HTML: `&amp;`, `&#39;`, `&#x27;` (WHATWG HTML §13.5).
///
/// The named references are those that Twitter, Mastodon and compatible servers write.
struct CharacterReference {
    let character: Unicode.Scalar
    /// The number of bytes from the ampersand to the semicolon.
    let length: Int

    private static let maximumLength = 10
    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "hellip": "…", "ndash": "–",
        "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»", "bull": "•",
        "copy": "©", "reg": "®", "trade": "™", "euro": "€",
    ]

    /// Reads the reference at `start`; nil if there is none.
    @inline(__always)
    init?(in text: Span<UInt8>, at start: Int) {
        guard text[start] == UInt8(ascii: "&") else { return nil }
        self.init(name: text.extracting((start + 1)..<min(text.count, start + Self.maximumLength)))
    }

    /// Reads the reference whose name and semicolon `text` starts with; nil if there is none.
    private init?(name text: Span<UInt8>) {
        guard let end = text.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(repairing: text.extracting(..<end))
        guard let character = name.hasPrefix("#") ? Self.numbered(name.dropFirst()) : Self.named[name]
        else { return nil }
        self.character = character
        // With the ampersand and the semicolon.
        length = end + 2
    }

    private static func numbered(_ digits: Substring) -> Unicode.Scalar? {
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? digits.dropFirst() : digits
        // UInt32 would accept a sign in front.
        guard number.first?.isHexDigit == true, let code = UInt32(number, radix: isHex ? 16 : 10), code > 0
        else { return nil }
        return Unicode.Scalar(code)
    }
}
