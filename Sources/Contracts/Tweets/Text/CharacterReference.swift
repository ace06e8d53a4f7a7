/// What HTML writes for a character: `&amp;`, `&#39;`, `&#x27;` (WHATWG HTML §13.5).
///
/// Of the names those are known that Twitter, Mastodon and their relatives write.
struct CharacterReference {
    let character: Unicode.Scalar
    /// The bytes from the ampersand to the semicolon.
    let length: Int

    private static let longest = 10
    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "hellip": "…", "ndash": "–",
        "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»", "bull": "•",
        "copy": "©", "reg": "®", "trade": "™", "euro": "€",
    ]

    /// The reference that `text` begins with; nil when there is none, an ampersand then standing for itself.
    init?(startOf text: ArraySlice<UInt8>) {
        let head = text.prefix(Self.longest)
        guard head.first == UInt8(ascii: "&"), let end = head.firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: head[(head.startIndex + 1)..<end], as: UTF8.self)
        guard let character = name.hasPrefix("#") ? Self.numbered(name.dropFirst()) : Self.named[name]
        else { return nil }
        self.character = character
        length = end - head.startIndex + 1
    }

    private static func numbered(_ digits: Substring) -> Unicode.Scalar? {
        let isHex = digits.first == "x" || digits.first == "X"
        let number = isHex ? digits.dropFirst() : digits
        // No sign: that would be a number to Swift.
        guard number.first?.isHexDigit == true, let code = UInt32(number, radix: isHex ? 16 : 10), code > 0
        else { return nil }
        return Unicode.Scalar(code)
    }
}
