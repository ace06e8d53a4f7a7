import JSONText

/// A search for several texts in bytes, whatever their letter case and however their characters are encoded.
///
/// One pass finds the places that hold two rare neighbours of a text, or an encoded character; only these are looked at
/// closer. The pass takes 0.19 ns a byte of a forecast and 0.21 of a toot, with a key and its base64 (eight pairs); glibc's
/// `memmem` takes 0.03 to 0.10 ns for the key alone. A document of nothing but escapes takes up to 35 ns.
struct KeySearch: Sendable {
    private let patterns: [[UInt8]]
    private let scan: PairScan
    /// The bytes after which letters in either case are equal, and a plus sign is a space.
    private let folded = (UInt8.min...UInt8.max).map(Self.fold)
    /// The offset of the pair in each pattern for which the scan looks.
    private let anchors: [Int]
    /// The patterns and offsets where a folded byte occurs.
    private let occurrences: [[(pattern: Int, offset: Int)]]
    /// The JSON strings, one inside the other, that are looked through: an upstream can quote the JSON of another one.
    ///
    /// One if a text has a backslash: in a document of backslashes, it could be at too many places.
    private let strings: Int
    /// The bytes of texts to compare between two looks at the clock, a few milliseconds with texts that repeat themselves.
    private static let bytesPerLook = 8192

    /// A search for those of `texts` that have at least two bytes.
    init(_ texts: [[UInt8]]) {
        let patterns = texts.filter { $0.count >= 2 }.map { $0.map(Self.fold) }
        var occurrences = [[(pattern: Int, offset: Int)]](repeating: [], count: 256)
        for (index, pattern) in patterns.enumerated() {
            for (offset, byte) in pattern.enumerated() { occurrences[Int(byte)].append((index, offset)) }
        }
        let anchors = patterns.map(Self.rarestPair)
        let pairs = zip(patterns, anchors).flatMap { pattern, anchor -> [(UInt8, UInt8)] in
            Self.unfolded(pattern[anchor]).flatMap { first in Self.unfolded(pattern[anchor + 1]).map { (first, $0) } }
        }
        let hasPunctuation = patterns.contains { !Set($0).isDisjoint(with: "/\"".utf8) }
        (self.patterns, self.anchors, self.occurrences) = (patterns, anchors, occurrences)
        strings = patterns.contains { $0.contains(UInt8(ascii: "\\")) } ? 1 : 2
        scan = PairScan(pairs, hasPunctuation: hasPunctuation)
    }

    /// Returns the ranges of all matches in JSON or another text, in no particular order, of which some may overlap; nil if
    /// `isExpired` before.
    func matches(in bytes: [UInt8], isJSON: Bool, isExpired: () -> Bool = { false }) -> [Range<Int>]? {
        var matches: [Range<Int>] = []
        if patterns.isEmpty { return matches }
        var compared = 0
        // One for the places of the scan, and one for those within texts: each remembers what it read last.
        var (markup, inner) = (Markup(isJSON: isJSON), Markup(isJSON: isJSON))
        var index = scan.next(in: bytes, from: 0)
        while index < bytes.count {
            if compared >= Self.bytesPerLook {
                if isExpired() { return nil }
                compared = 0
            }
            compared += patterns.count
            for (pattern, anchor) in zip(patterns, anchors) {
                let start = index - anchor
                if holds(pattern, through: pattern.count, bytes.span, at: start) {
                    matches.append(start..<start + pattern.count)
                }
            }
            func look(for byte: UInt8, from least: Int) {
                for occurrence in occurrences[Int(folded[Int(byte)])] where occurrence.offset >= least {
                    compared += patterns[occurrence.pattern].count
                    if let match = match(bytes.span, at: index, occurrence, &inner) { matches.append(match) }
                }
            }
            EncodedByte.forEach(in: bytes.span, at: index, strings: strings) { byte, _ in look(for: byte, from: 0) }
            // Tags before a text do not belong to it.
            if let next = markup.end(in: bytes.span, at: index) {
                look(for: bytes[next], from: 1)
                EncodedByte.forEach(in: bytes.span, at: next, strings: strings) { byte, _ in look(for: byte, from: 1) }
            }
            index = scan.next(in: bytes, from: index + 1)
        }
        return matches
    }

    private static func fold(_ byte: UInt8) -> UInt8 {
        switch Unicode.Scalar(byte) {
        case "A"..."Z": byte | 0x20
        case "+": UInt8(ascii: " ")
        default: byte
        }
    }

    /// The bytes that fold to `byte`, one for each letter.
    private static func unfolded(_ byte: UInt8) -> [UInt8] {
        byte == UInt8(ascii: " ") ? [byte, UInt8(ascii: "+")] : [byte]
    }

    /// Returns the offset of the two neighbours that documents are expected to have least.
    private static func rarestPair(of pattern: [UInt8]) -> Int {
        func weight(_ byte: UInt8) -> Int {
            let frequent = #" "e,:taoinsrl0123456789dchmu.-/\{}[]"#.utf8
            return frequent.firstIndex(of: byte).map { frequent.distance(from: $0, to: frequent.endIndex) } ?? 0
        }
        let starts = pattern.indices.dropLast()
        return starts.min {
            weight(pattern[$0]) + weight(pattern[$0 + 1]) < weight(pattern[$1]) + weight(pattern[$1 + 1])
        } ?? 0
    }

    /// Whether the first `count` bytes of a pattern are at `start`.
    private func holds(_ pattern: [UInt8], through count: Int, _ bytes: Span<UInt8>, at start: Int) -> Bool {
        guard start >= 0, start + count <= bytes.count else { return false }
        // Backwards, because the byte before an encoded one decides most calls.
        for offset in stride(from: count - 1, through: 0, by: -1)
        where folded[Int(bytes[start + offset])] != pattern[offset] {
            return false
        }
        return true
    }

    /// Returns the match whose first encoded character is at `index`, in the pattern's place `occurrence`.
    private func match(
        _ bytes: Span<UInt8>, at index: Int, _ occurrence: (pattern: Int, offset: Int), _ markup: inout Markup
    ) -> Range<Int>? {
        let pattern = patterns[occurrence.pattern]
        let start = index - occurrence.offset
        guard holds(pattern, through: occurrence.offset, bytes, at: start) else { return nil }
        // An introducer can be meant as it is, too. Nearly always there is one reading, and `others` stays empty.
        var (end, others) = (index, [Int]())
        for byte in pattern[occurrence.offset...] {
            var (next, nextOthers) = (-1, [Int]())
            func take(_ read: UInt8, _ end: Int) {
                guard folded[Int(read)] == byte, end != next else { return }
                if next < 0 { next = end } else if !nextOthers.contains(end) { nextOthers.append(end) }
            }
            func read(at index: Int) {
                guard index < bytes.count else { return }
                take(bytes[index], index + 1)
                EncodedByte.forEach(in: bytes, at: index, strings: strings, take)
                if let next = markup.end(in: bytes, at: index) {
                    take(bytes[next], next + 1)
                    EncodedByte.forEach(in: bytes, at: next, strings: strings, take)
                }
            }
            read(at: end)
            for other in others { read(at: other) }
            if next < 0 { return nil }
            (end, others) = (next, nextOthers)
        }
        return start..<max(end, others.max() ?? end)
    }
}

/// The ways in which text encodes a byte: JSON's escapes, percent-encoding and HTML's entities, in this order from the
/// outside in.
enum EncodedByte {
    /// The entities of ASCII characters that have names, which are packed into integers.
    private static let entities: [UInt64: UInt8] = [
        packed("amp;"): UInt8(ascii: "&"), packed("lt;"): UInt8(ascii: "<"), packed("gt;"): UInt8(ascii: ">"),
        packed("quot;"): UInt8(ascii: "\""), packed("apos;"): UInt8(ascii: "'"),
    ]
    private static let longestName = 5
    /// The digits of a character's number, of which any number may be leading zeros.
    private static let longestNumber = 32
    /// The deepest percent-encoding of a percent sign that is looked through.
    private static let maximumDepth = 4

    /// Calls `body` with each byte that may be encoded at `index` and the end of its encoding; a plain byte has none.
    ///
    /// It looks through up to `strings` JSON strings, one inside the other.
    static func forEach(in bytes: Span<UInt8>, at index: Int, strings: Int, _ body: (UInt8, Int) -> Void) {
        var last = index
        for depth in 1...strings {
            let (byte, end) = character(bytes, index, strings: depth)
            if end == last { return }
            last = end
            if end > index + 1 { body(byte, end) }
            forEach(in: bytes, introducedBy: byte, at: end, strings: strings, body)
        }
    }

    /// Calls `body` with each byte of the URL's or HTML's encoding that `introducer` and the bytes from `index` on are.
    private static func forEach(
        in bytes: Span<UInt8>, introducedBy introducer: UInt8, at index: Int, strings: Int,
        _ body: (UInt8, Int) -> Void
    ) {
        if introducer == UInt8(ascii: "%") {
            var start = index
            for _ in 0..<maximumDepth {
                guard let (value, end) = hexadecimal(bytes, start, digits: 2, strings: strings) else { return }
                body(UInt8(value), end)
                guard value == UInt8(ascii: "%") else { return }
                start = end
            }
        } else if introducer == UInt8(ascii: "&"), let (value, end) = entity(bytes, index, strings: strings) {
            body(value, end)
        }
    }

    /// Returns the byte at `index`, or the one that an escape at `index` means in `strings` JSON strings, one inside the
    /// other, and its end.
    static func character(_ bytes: Span<UInt8>, _ index: Int, strings: Int) -> (byte: UInt8, end: Int) {
        guard strings > 0 else { return (bytes[index], index + 1) }
        let plain = character(bytes, index, strings: strings - 1)
        guard plain.byte == UInt8(ascii: "\\"), plain.end < bytes.count else { return plain }
        let next = character(bytes, plain.end, strings: strings - 1)
        switch Unicode.Scalar(next.byte) {
        case "/", "\"", "\\": return next
        case "u":
            // Characters of a key are ASCII.
            guard let (value, end) = hexadecimal(bytes, next.end, digits: 4, strings: strings - 1),
                let byte = UInt8(exactly: value)
            else { return plain }
            return (byte, end)
        default: return plain
        }
    }

    /// Reads digits, of which each may be escaped.
    private static func hexadecimal(
        _ bytes: Span<UInt8>, _ index: Int, digits: Int, strings: Int
    ) -> (value: Int, end: Int)? {
        var (value, end) = (0, index)
        for _ in 0..<digits {
            guard end < bytes.count else { return nil }
            let (byte, next) = character(bytes, end, strings: strings)
            guard let digit = digit(byte) else { return nil }
            (value, end) = (value << 4 | Int(digit), next)
        }
        return (value, end)
    }

    /// Reads what follows the ampersand of an entity: a name, or a number such as `#38;` or `#x0026;`.
    private static func entity(_ bytes: Span<UInt8>, _ index: Int, strings: Int) -> (value: UInt8, end: Int)? {
        var name: UInt64 = 0
        var end = index
        for _ in 0..<longestName where end < bytes.count {
            let (byte, next) = character(bytes, end, strings: strings)
            end = next
            if byte == UInt8(ascii: "#") { return name == 0 ? number(bytes, end, strings: strings) : nil }
            name = name << 8 | UInt64(byte)
            if byte == UInt8(ascii: ";") { return entities[name].map { ($0, end) } }
            guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) else { return nil }
        }
        return nil
    }

    /// Reads the number of a character, decimal or with an `x` hexadecimal; the semicolon may be missing, as in HTML.
    private static func number(_ bytes: Span<UInt8>, _ index: Int, strings: Int) -> (value: UInt8, end: Int)? {
        var (value, radix, end, digits) = (0, 10, index, 0)
        while end < bytes.count, digits <= longestNumber {
            let (byte, next) = character(bytes, end, strings: strings)
            if digits == 0, radix == 10, byte | 0x20 == UInt8(ascii: "x") {
                radix = 16
            } else if let digit = digit(byte), digit < radix {
                (value, digits) = (min(value * radix + Int(digit), 0x100), digits + 1)
            } else {
                if byte == UInt8(ascii: ";") { end = next }
                break
            }
            end = next
        }
        return digits == 0 ? nil : UInt8(exactly: value).map { ($0, end) }
    }

    private static func packed(_ name: String) -> UInt64 { name.utf8.reduce(0) { $0 << 8 | UInt64($1) } }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
