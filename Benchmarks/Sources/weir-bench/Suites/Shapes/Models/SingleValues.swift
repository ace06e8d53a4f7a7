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
