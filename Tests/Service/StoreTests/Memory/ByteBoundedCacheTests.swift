import Store
import Testing

@Suite struct ByteBoundedCacheTests {
    private typealias Numbers = ByteBoundedCache<Int, Int>

    /// A cache of one stripe that keeps `entries` entries of 1,000 bytes.
    private func cache(entries: Int) -> Numbers {
        let bytes = entries * (1000 + Numbers.overhead)
        let ghosts = Numbers(maximumBytes: bytes, stripes: 1).statistics.bytes
        return Numbers(maximumBytes: bytes + ghosts, stripes: 1)
    }

    @Test func aStoredValueIsFoundUntilItIsRemoved() {
        let cache = cache(entries: 10)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.insert(10, for: 1, cost: 1000))
        #expect(cache.value(for: 1) == 10)
        #expect(cache.remove(1) == 10)
        #expect(cache.remove(1) == nil)
        #expect(cache.value(for: 1) == nil)
        #expect(cache.statistics.entries == 0)
    }

    @Test func anotherValueReplacesTheFirstAndItsCost() {
        let cache = cache(entries: 10)
        cache.insert(10, for: 1, cost: 1000)
        let before = cache.statistics.bytes
        #expect(cache.insert(11, for: 1, cost: 3000))
        #expect(cache.value(for: 1) == 11)
        #expect(cache.statistics.entries == 1)
        #expect(cache.statistics.bytes == before + 2000)
    }

    @Test func aValueLargerThanHalfOfAStripeIsNotKeptAndItsPredecessorNeither() {
        let cache = cache(entries: 10)
        cache.insert(10, for: 1, cost: 1000)
        #expect(!cache.insert(11, for: 1, cost: 5500))
        #expect(cache.value(for: 1) == nil)
        #expect(cache.statistics.refusals == 1)
    }

    @Test func aCacheThatTakesUpLessKeepsWhatIsUsedAndCanTakeUpAsMuchAgain() {
        let cache = Numbers(maximumBytes: 1 << 20, stripes: 4)
        for key in 0..<1000 {
            cache.insert(key, for: key, cost: 1000)
            _ = cache.value(for: key % 40)
        }
        let full = cache.statistics
        cache.resize(to: 1 << 18)
        #expect(cache.statistics.bytes <= 1 << 18)
        #expect(cache.statistics.entries > full.entries / 8)
        #expect((0..<40).count { cache.value(for: $0) != nil } > 35)
        for key in 1000..<2000 { cache.insert(key, for: key, cost: 1000) }
        #expect(cache.statistics.bytes <= 1 << 18)
        cache.resize(to: 1 << 20)
        for key in 2000..<3000 { cache.insert(key, for: key, cost: 1000) }
        #expect(cache.statistics.entries > full.entries * 9 / 10)
        for bytes in [0, -1] {
            cache.resize(to: bytes)
            #expect(cache.statistics.entries == 0)
        }
    }

    @Test func growthIsCountedAndMakesOthersLeave() {
        let cache = cache(entries: 10)
        for key in 0..<10 { cache.insert(key, for: key, cost: 1000) }
        for _ in 0..<3 { _ = cache.value(for: 9) }
        #expect(cache.grow(9, by: 3000))
        #expect(cache.value(for: 9) == 9)
        #expect(cache.statistics.entries == 7)
    }

    @Test func anEntryThatGrowsBeyondHalfOfAStripeLeaves() {
        let cache = cache(entries: 10)
        for key in 0..<5 { cache.insert(key, for: key, cost: 1000) }
        #expect(!cache.grow(3, by: 4500))
        #expect(cache.value(for: 3) == nil)
        #expect(cache.statistics.entries == 4)
        #expect(!cache.grow(3, by: 1))
    }

    @Test func onlyTheExpectedValueGrows() {
        let cache = cache(entries: 10)
        cache.insert(10, for: 1, cost: 1000)
        let before = cache.statistics.bytes
        #expect(!cache.grow(1, by: 100) { _ in nil })
        #expect(cache.statistics.bytes == before)
        #expect(cache.grow(1, by: 100) { $0 == 10 ? 11 : nil })
        #expect(cache.statistics.bytes == before + 100)
        #expect(cache.value(for: 1) == 11)
    }

    @Test func removingAllLeavesAnEmptyCacheThatWorks() {
        let cache = cache(entries: 10)
        let empty = cache.statistics.bytes
        for key in 0..<10 { cache.insert(key, for: key, cost: 1000) }
        cache.removeAll()
        #expect(cache.statistics.entries == 0)
        #expect(cache.statistics.bytes == empty)
        #expect(cache.insert(1, for: 1, cost: 1000))
        #expect(cache.value(for: 1) == 1)
    }

    @Test func hostileSizesNeitherCrashNorBreakTheBound() {
        for maximum in [Int.min, -1, 0, 1, 100, 5000, Int.max] {
            for stripes in [Int.min, -1, 0, 1, 3, 5000] {
                let cache = Numbers(maximumBytes: maximum, stripes: stripes)
                for (key, cost) in [Int.min, -1, 0, 1, 1000, Int.max - 1, Int.max].enumerated() {
                    cache.insert(key, for: key, cost: cost)
                    cache.grow(key, by: Int.min)
                    cache.grow(key, by: Int.max)
                    cache.grow(key, by: -1)
                    cache.grow(key, by: 0)
                }
                let statistics = cache.statistics
                #expect(statistics.bytes >= 0)
                #expect(statistics.entries == 0 || statistics.bytes <= maximum)
            }
        }
    }

    @Test func entriesWithoutCostAreBoundedByTheirBookkeeping() {
        let cache = Numbers(maximumBytes: 1 << 16, stripes: 2)
        for key in 0..<10_000 { cache.insert(key, for: key, cost: 0) }
        #expect(cache.statistics.entries * Numbers.overhead <= 1 << 16)
        #expect(cache.statistics.entries > 500)
    }

    @Test func allEntriesArePassed() {
        let cache = Numbers(maximumBytes: 1 << 20, stripes: 3)
        for key in 0..<1000 { cache.insert(2 * key, for: key, cost: 10) }
        var seen: [Int: Int] = [:]
        cache.forEach { seen[$0] = $1 }
        #expect(seen == Dictionary(uniqueKeysWithValues: (0..<1000).map { ($0, 2 * $0) }))
    }

    @Test func entriesThatStayArePassedWhileOthersLeave() {
        let cache = Numbers(maximumBytes: 1 << 20, stripes: 1)
        for key in 0..<1000 { cache.insert(key, for: key, cost: 10) }
        var (seen, removed) = (Set<Int>(), 0)
        cache.forEach { key, _ in
            seen.insert(key)
            // No lock is held: the cache can be changed here.
            cache.remove(2 * removed)
            cache.insert(0, for: 5000 + removed, cost: 10)
            removed += 1
        }
        #expect(seen.isSuperset(of: (0..<500).map { 2 * $0 + 1 }))
    }
}
