import Foundation
import LenientCoding

/// Identifiers alone.
struct Identifiers: Codable {
    var ids: [UUID]

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 41)
        func hex(_ digits: Int) -> String {
            (0..<digits).map { _ in String(random.number(0...15), radix: 16, uppercase: true) }.joined()
        }
        return ["ids": .array((0..<2000).map { _ in .text([8, 4, 4, 4, 12].map(hex).joined(separator: "-")) })]
    }
}

/// Decimal numbers alone.
struct Amounts: Codable {
    var amounts: [Decimal]

    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 42)
        return ["amounts": .array((0..<2000).map { _ in GeneratedValue(random.decimal(-9000...9000, places: 2)) })]
    }
}

/// Values of mixed types, as a client without a model reads them.
enum MixedTree {
    static func document() -> GeneratedValue {
        var random = SplitMix64(seed: 43)
        return .array((0..<300).map { _ in tree(depth: 3, &random) })
    }

    private static func tree(depth: Int, _ random: inout SplitMix64) -> GeneratedValue {
        let names = ["id", "name", "score", "active", "tags", "parent", "location", "updated"]
        switch depth == 0 ? random.number(0...3) : random.number(0...6) {
        case 0: return GeneratedValue(random.number(-9999...99999))
        case 1: return GeneratedValue(random.decimal(-900...900, places: 3))
        case 2: return .text(random.pick(names) + " of \(random.number(0...999))")
        case 3: return random.happens(50) ? GeneratedValue(random.happens(50)) : nil
        case 4: return .array((0..<random.number(2...6)).map { _ in tree(depth: depth - 1, &random) })
        default: return .object(names.map { ($0, tree(depth: depth - 1, &random)) })
        }
    }
}
