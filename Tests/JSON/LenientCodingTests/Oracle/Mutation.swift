import TestSupport

/// Random damage to a document, as networks, programs and typing errors cause it.
struct Mutation {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    private static let structure = Array("{}[]:,\"\\ \n/".utf8)
    private static let numbers = [
        "0", "-", ".", "e5", "E-7", "00", "-0", "1e400", "-1e-400", "9223372036854775808", "18446744073709551616",
        "0.1", "1.0", "123456789012345678901234567890", "+", "3.141592653589793238", "1e", ".5", "0x10", "NaN",
    ].map { Array($0.utf8) }
    private static let strings =
        [
            "\\n", "\\u0041", "\\ud83d\\ude00", "\\ud800", "\\udc00", "\\u00", "\\x", "\\", "\"", "\u{1}", "\t", "é",
            "😀",
            "\\u0000", "\\/", "e\u{301}",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0]]
    private static let words = ["true", "false", "null", "tru", "nulll", "[]", "{}", "[1", "\"a\":1,", ",", "/**/"]
        .map { Array($0.utf8) }

    /// Returns `document` with one to three changes.
    mutating func damaged(_ document: [UInt8]) -> [UInt8] {
        var bytes = document
        for _ in 0..<Int.random(in: 1...3, using: &random) { damage(&bytes) }
        return bytes
    }

    /// Returns the document in one of the other encodings of Unicode that Foundation reads.
    static func otherEncoding(of document: [UInt8], _ number: Int) -> [UInt8] {
        let text = String(decoding: document, as: UTF8.self)
        func bytes<Unit: FixedWidthInteger>(_ unit: Unit) -> [UInt8] {
            let bytes = (0..<Unit.bitWidth / 8).map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
            return number % 2 == 0 ? bytes : bytes.reversed()
        }
        let marked = number % 3 == 0 ? "\u{FEFF}\(text)" : text
        if number % 5 == 0 { return marked.unicodeScalars.flatMap { bytes($0.value) } }
        return Array(marked.utf16).flatMap(bytes)
    }

    private mutating func damage(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...6, using: &random)))
        case 2, 3: bytes.insert(pick(Self.structure), at: place)
        case 4: bytes.removeSubrange(place...)
        case 5: replaceNumber(in: &bytes, from: place)
        case 6, 7: insertIntoString(in: &bytes, from: place)
        case 8: bytes.insert(contentsOf: pick(Self.words), at: place)
        default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 24)], at: place)
        }
    }

    /// Replaces the first digits after `place`, or inserts a number after them.
    private mutating func replaceNumber(in bytes: inout [UInt8], from place: Int) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let start = bytes[place...].firstIndex(where: digits.contains) else { return }
        let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
        let replacesDigits = Bool.random(using: &random)
        bytes.replaceSubrange(replacesDigits ? start..<end : end..<end, with: pick(Self.numbers))
    }

    /// Inserts text after the first quote after `place`.
    private mutating func insertIntoString(in bytes: inout [UInt8], from place: Int) {
        guard let quote = bytes[place...].firstIndex(of: UInt8(ascii: "\"")) else { return }
        bytes.insert(contentsOf: pick(Self.strings), at: quote + 1)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &random)]
    }
}
