import HTTPCore
import JSONText

/// A search for keys whose characters may each be encoded.
///
/// One pass finds the places of encoded characters and of a rare pair of characters of each key; only these are read again.
/// A byte of a forecast takes 0.12 ns with one key and 1.4 ns with 28, and one of nothing but escapes up to 80 ns.
struct KeySearch: Sendable {
    private let keys: [[UInt8]]
    /// The offset of the pair in each key.
    private let anchors: [Int]
    private let scan: PairScan
    /// The places between two looks at the clock: some milliseconds with the longest keys.
    private static let placesPerLook = 64

    /// A search for those of `secrets` that have at least two bytes.
    init(_ secrets: [Secret]) {
        keys = secrets.map { secret in secret.withExposedText { Array($0.utf8) } }.filter { $0.count >= 2 }
        anchors = keys.map(Self.rarestPair)
        scan = PairScan(
            zip(keys, anchors).map { ($0[$1], $0[$1 + 1]) },
            hasPunctuation: keys.contains { !Set($0).isDisjoint(with: #"/"\"#.utf8) })
    }

    /// Returns the offset of the two neighbours that documents are expected to have least.
    private static func rarestPair(of key: [UInt8]) -> Int {
        let frequent = Array(#" "e,:taoinsrl0123456789dchmu.-/\{}[]"#.utf8)
        let weights = key.map { frequent.firstIndex(of: $0) ?? frequent.count }
        return key.indices.dropLast().max { weights[$0] + weights[$0 + 1] < weights[$1] + weights[$1 + 1] } ?? 0
    }

    /// Returns the ranges of the keys, in no order, of which some may overlap; nil if `isExpired` before.
    func matches(in bytes: [UInt8], isExpired: () -> Bool = { false }) -> [Range<Int>]? {
        var matches: [Range<Int>] = []
        if keys.isEmpty { return matches }
        var places = 0
        var place = scan.next(in: bytes, from: 0)
        while place < bytes.count {
            places += 1
            if places.isMultiple(of: Self.placesPerLook), isExpired() { return nil }
            let encoded = EncodedByte.read(bytes.span, at: place)
            for (key, anchor) in zip(keys, anchors) {
                if let match = Self.match(key, bytes.span, at: place - anchor, plain: key.count) {
                    matches.append(match)
                }
                guard let encoded else { continue }
                // The place is that of the first encoded character.
                for offset in key.indices where key[offset] == encoded.value {
                    if let match = Self.match(key, bytes.span, at: place - offset, plain: offset) {
                        matches.append(match)
                    }
                }
            }
            place = scan.next(in: bytes, from: place + 1)
        }
        return matches
    }

    /// Returns the range of `key` at `start`, of which the first `plain` characters are not encoded; nil if it is not there.
    private static func match(_ key: [UInt8], _ bytes: Span<UInt8>, at start: Int, plain: Int) -> Range<Int>? {
        guard start >= 0 else { return nil }
        var index = start
        for (offset, byte) in key.enumerated() {
            guard index < bytes.count else { return nil }
            if offset >= plain, let encoded = EncodedByte.read(bytes, at: index), encoded.value == byte {
                index = encoded.end
            } else if bytes[index] == byte {
                index += 1
            } else {
                return nil
            }
        }
        return start..<index
    }
}

/// Bytes that are percent-encoded, escaped as in JSON, or character references of HTML.
private enum EncodedByte {
    /// The references by name to characters that HTML escapes.
    private static let names = [("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'")].map {
        (name: Array($0.utf8), value: Array($1.utf8)[0])
    }
    /// The most digits of a reference by number; some are zeros in front.
    private static let longestNumber = 7

    /// Returns the byte that is encoded at `index` and the index after it; nil for a plain byte.
    @inline(__always)
    static func read(_ bytes: Span<UInt8>, at index: Int) -> (value: UInt8, end: Int)? {
        let next = index + 1
        guard next < bytes.count else { return nil }
        switch (Unicode.Scalar(bytes[index]), Unicode.Scalar(bytes[next])) {
        case ("%", _): return number(bytes, next..<next + 2, radix: 16)
        case ("\\", "u"): return number(bytes, next + 1..<next + 5, radix: 16)
        case ("\\", "/"), ("\\", "\""), ("\\", "\\"): return (bytes[next], next + 1)
        case ("&", "#"): return numbered(bytes, at: next + 1)
        case ("&", _): return named(bytes, at: next)
        default: return nil
        }
    }

    /// Reads what follows `&#`: digits, after an `x` hexadecimal ones, and a semicolon.
    private static func numbered(_ bytes: Span<UInt8>, at index: Int) -> (value: UInt8, end: Int)? {
        let isHexadecimal = index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: "x")
        let start = isHexadecimal ? index + 1 : index
        let ends = start..<min(bytes.count, start + longestNumber + 1)
        guard let end = ends.first(where: { bytes[$0] == UInt8(ascii: ";") }) else { return nil }
        return number(bytes, start..<end, radix: isHexadecimal ? 16 : 10).map { ($0.value, end + 1) }
    }

    /// Reads what follows the ampersand of a reference by name.
    private static func named(_ bytes: Span<UInt8>, at index: Int) -> (value: UInt8, end: Int)? {
        let match = names.first { name, _ in
            index + name.count <= bytes.count && name.indices.allSatisfy { bytes[index + $0] == name[$0] }
        }
        return match.map { ($0.value, index + $0.name.count) }
    }

    /// Reads the digits in `range`; nil if there are none or other characters, or if the number is no byte.
    private static func number(_ bytes: Span<UInt8>, _ range: Range<Int>, radix: Int) -> (value: UInt8, end: Int)? {
        guard !range.isEmpty, range.upperBound <= bytes.count else { return nil }
        var value = 0
        for index in range {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue, digit < radix else { return nil }
            value = value * radix + digit
        }
        return UInt8(exactly: value).map { ($0, range.upperBound) }
    }
}
