/// What may stand before and behind a hashtag, a mention or a link for it to be a word of its own.
enum WordBounds {
    case hashtag, mention, link

    /// The bounds of what is written in this way.
    init(of spelling: String) {
        switch spelling.unicodeScalars.first {
        case "#", "＃", "$": self = .hashtag
        case "@", "＠": self = .mention
        default: self = .link
        }
    }

    /// Whether what stands at `range` ends where a word does, and begins where one does.
    func lie(around range: Range<Int>, in bytes: [UInt8]) -> Bool {
        let before = Self.scalar(in: bytes[..<range.lowerBound].suffix(4), isLast: true)
        let after = Self.scalar(in: bytes[range.upperBound...].prefix(4), isLast: false)
        switch self {
        case .hashtag: return !Self.isLetter(before) && before != "/" && !Self.isLetter(after)
        // Names and addresses are ASCII: other letters may follow at once, as they do in Japanese.
        case .mention:
            return !Self.isPlainLetter(before) && before != "/" && !Self.isPlainLetter(after) && after != "@"
        case .link: return !Self.isPlainLetter(after) && after.map { "/?#=&%".unicodeScalars.contains($0) } != true
        }
    }

    private static func scalar(in bytes: ArraySlice<UInt8>, isLast: Bool) -> Unicode.Scalar? {
        if isLast {
            guard let start = bytes.lastIndex(where: { $0 & 0xC0 != 0x80 }) else { return nil }
            return String(decoding: bytes[start...], as: UTF8.self).unicodeScalars.first
        }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.first
    }

    private static func isLetter(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar else { return false }
        if scalar.isASCII { return isPlainLetter(scalar) }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .spacingMark, .decimalNumber: return true
        default: return scalar.properties.isAlphabetic
        }
    }

    private static func isPlainLetter(_ scalar: Unicode.Scalar?) -> Bool {
        guard let scalar, scalar.isASCII else { return false }
        return scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
