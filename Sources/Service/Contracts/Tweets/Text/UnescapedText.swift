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
