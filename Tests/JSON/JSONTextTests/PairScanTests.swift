import JSONText
import TestSupport
import Testing

@Suite("Scans for pairs of bytes and escapes")
struct PairScanTests {
    /// The places in `bytes`, found one after another.
    private static func places(_ scan: PairScan, _ bytes: [UInt8]) -> [Int] {
        var places: [Int] = []
        var place = scan.next(in: bytes, from: 0)
        while place < bytes.count {
            places.append(place)
            place = scan.next(in: bytes, from: place + 1)
        }
        return places
    }

    @Test("The places of random bytes are those that a plain comparison finds")
    func randomBytes() {
        var random = SplitMix64(seed: 5)
        let letters = Array(#"abzABZ%&\/"u00 "#.utf8)
        for count in 0..<400 {
            let hasPunctuation = Bool.random(using: &random)
            let pairs = (0..<(count % 4)).map { _ in (UInt8(ascii: "a"), letters.randomElement(using: &random) ?? 0) }
            let bytes = (0..<count % 90).map { _ in letters.randomElement(using: &random) ?? 0 }
            let expected = bytes.indices.filter { index in
                let rest = bytes[index...]
                if rest.starts(with: "%".utf8) || rest.starts(with: "&".utf8) { return true }
                if rest.starts(with: #"\u00"#.utf8), rest.count >= 6 { return true }
                if hasPunctuation, [#"\/"#, #"\""#, #"\\"#].contains(where: { rest.starts(with: $0.utf8) }) {
                    return true
                }
                return rest.count > 1 && pairs.contains { rest[index] == $0.0 && rest[index + 1] == $0.1 }
            }
            let found = Self.places(PairScan(pairs, hasPunctuation: hasPunctuation), bytes)
            #expect(found == expected, "\(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
