/// The claims of the keys of edited objects, for the last few sets of positions in the paths.
///
/// Objects of an array have the same positions, and mostly the same keys. Without the memo, an edit with ten paths has
/// 0.6 of the speed of a transform without paths, with it 0.85.
///
/// Unsafe: reads and writes through pointers. Slots are those of the `KeyCache`, below `slotCount`.
struct ClaimMemo: ~Copyable {
    /// The claim that a key does not have yet, or that depends on the value.
    static let unknown: Int32 = -2

    private static let setCount = 16
    private static let maximumProbes = 4

    private let slotCount: Int
    /// The words of a set, and one more.
    private let wordCount: Int
    private let claims: UnsafeMutablePointer<Int32>
    private let sets: UnsafeMutablePointer<UInt64>

    init(slotCount: Int, paths: EditPaths) {
        self.slotCount = paths.isEmpty ? 0 : slotCount
        wordCount = paths.wordCount + 1
        claims = .allocate(capacity: Self.setCount * self.slotCount)
        sets = .allocate(capacity: Self.setCount * wordCount)
        forget()
    }

    deinit {
        claims.deallocate()
        sets.deallocate()
    }

    /// Forgets all claims.
    mutating func forget() {
        for index in 0..<Self.setCount { sets[index * wordCount] = 0 }
    }

    /// Returns the claims by slot of objects with these positions; `rule` is what else they depend on.
    @inline(__always)
    mutating func claims(at positions: UnsafePointer<UInt64>, rule: UInt64) -> UnsafeMutablePointer<Int32> {
        // No rule is 0, which is the mark of an unused set.
        var hash = rule
        for word in 0..<(wordCount &- 1) { hash = (hash ^ positions[word]) &* 0x9E37_79B9_7F4A_7C15 }
        let first = Int(truncatingIfNeeded: hash &>> 60)
        for index in first..<(first &+ Self.maximumProbes) {
            let set = sets + index % Self.setCount &* wordCount
            if set[0] == 0 { break }
            var isSame = set[0] == rule
            for word in 0..<(wordCount &- 1) { isSame = isSame && set[word &+ 1] == positions[word] }
            if isSame { return claims + index % Self.setCount &* slotCount }
        }
        return newClaims(at: positions, rule: rule, first)
    }

    /// Returns claims that are unknown yet, in an unused place, or in that of other positions.
    @inline(never)
    private mutating func newClaims(
        at positions: UnsafePointer<UInt64>, rule: UInt64, _ first: Int
    ) -> UnsafeMutablePointer<Int32> {
        let probes = (first..<(first + Self.maximumProbes)).map { $0 % Self.setCount }
        let index = probes.first { sets[$0 * wordCount] == 0 } ?? first
        let set = sets + index * wordCount
        set[0] = rule
        (set + 1).update(from: positions, count: wordCount - 1)
        let claims = claims + index * slotCount
        claims.update(repeating: Self.unknown, count: slotCount)
        return claims
    }
}
