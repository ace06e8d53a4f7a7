import Store
import Foundation
import TestSupport
import Testing

/// What stays in a full cache, and what that takes.
@Suite struct AdmissionTests {
    private typealias Numbers = ByteBoundedCache<Int, Int>

    @Test func aMillionUniqueKeysDoNotMakeHotOnesLeave() {
        // 64 MiB hold 2,000 documents of 32 KiB.
        let cache = Numbers(maximumBytes: 64 << 20, stripes: 8)
        var hits = 0
        for unique in 0..<1_000_000 {
            let hot = -1 - unique % 100
            if cache.value(for: hot) == nil { cache.insert(0, for: hot, cost: 32 << 10) } else { hits += 1 }
            cache.insert(0, for: unique, cost: 32 << 10)
        }
        #expect(hits >= 1_000_000 - 200)
        #expect(cache.statistics.bytes <= 64 << 20)
    }

    @Test func aKeyThatComesBackSoonIsAdmittedToTheMainQueue() {
        let cache = Numbers(maximumBytes: 1 << 20, stripes: 1)
        for key in 0..<3000 { cache.insert(key, for: key, cost: 1000) }
        #expect(cache.value(for: 1800) == nil)
        cache.insert(1, for: 1800, cost: 1000)
        #expect(cache.statistics.ghostHits == 1)
        for key in 10_000..<13_000 { cache.insert(key, for: key, cost: 1000) }
        #expect(cache.value(for: 1800) == 1)
    }

    @Test func theBoundHoldsForMixedSizes() {
        var random = SplitMix64(seed: 4)
        let cache = Numbers(maximumBytes: 1 << 20, stripes: 4)
        for _ in 0..<20_000 {
            let key = Int.random(in: 0..<2000, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: cache.grow(key, by: Int.random(in: -2000..<20_000, using: &random))
            case 1: cache.remove(key)
            case 2...4: _ = cache.value(for: key)
            default: cache.insert(key, for: key, cost: 1 << Int.random(in: 0..<18, using: &random))
            }
            let bytes = cache.statistics.bytes
            #expect(bytes >= 0 && bytes <= 1 << 20)
        }
        #expect(cache.statistics.refusals > 0)
        #expect(cache.statistics.bytes > 1 << 19)
    }

    @Test func noTurnUnderALockLooksAtMoreThanAThousandEntries() {
        // All entries are used to the full, and a large one needs the room of half of them.
        let count = 100_000
        let bytes = count * (Numbers.overhead + 10) * 64 / 63 + 4096
        let cache = Numbers(maximumBytes: bytes, stripes: 1)
        for key in 0..<count {
            cache.insert(key, for: key, cost: 10)
            for _ in 0..<3 { _ = cache.value(for: key) }
        }
        let before = cache.statistics
        #expect(before.entries > count * 9 / 10)
        cache.insert(-1, for: -1, cost: bytes * 2 / 5)
        #expect(cache.value(for: -1) == -1)
        #expect(cache.statistics.evictions - before.evictions > count / 4)
        #expect(cache.statistics.longestTurn <= 32 * 32)
    }

    /// A value that asks the cache while it is released.
    private final class Asking: Sendable {
        let cache: ByteBoundedCache<Int, Asking>
        let released: Watched<Int>

        init(_ cache: ByteBoundedCache<Int, Asking>, _ released: Watched<Int>) {
            (self.cache, self.released) = (cache, released)
        }

        deinit {
            // Waits for ever if the lock of the only stripe is held.
            _ = cache.value(for: 0)
            released.update { $0 += 1 }
        }
    }

    @Test func valuesAreReleasedWhileNoLockIsHeld() {
        let released = Watched(0)
        let cache = ByteBoundedCache<Int, Asking>(maximumBytes: 1 << 16, stripes: 1)
        for key in 0..<1000 { cache.insert(Asking(cache, released), for: key % 300, cost: key % 7 * 1000) }
        for key in 0..<300 { cache.grow(key, by: 10_000) }
        cache.remove(299)
        cache.insert(Asking(cache, released), for: 1, cost: .max)
        cache.removeAll()
        #expect(released.current == 1001)
    }

    @Test func threadsLeaveAConsistentCache() {
        let cache = Numbers(maximumBytes: 1 << 20, stripes: 4)
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            var random = SplitMix64(seed: UInt64(thread))
            for round in 0..<5000 {
                let key = Int.random(in: 0..<3000, using: &random)
                switch Int.random(in: 0..<12, using: &random) {
                case 0: cache.grow(key, by: 500)
                case 1: cache.remove(key)
                case 2 where round % 500 == 0: cache.removeAll()
                case 3 where round % 100 == 0: cache.forEach { #expect($0 == $1) }
                case 2...5: cache.insert(key, for: key, cost: Int.random(in: 0..<4000, using: &random))
                default: if let value = cache.value(for: key) { #expect(value == key) }
                }
            }
        }
        let statistics = cache.statistics
        #expect(statistics.bytes <= 1 << 20)
        var keys: Set<Int> = []
        cache.forEach { key, _ in #expect(keys.insert(key).inserted) }
        #expect(keys.count == statistics.entries)
        #expect(keys.allSatisfy { cache.value(for: $0) == $0 })
        for key in keys { cache.remove(key) }
        let empty = Numbers(maximumBytes: 1 << 20, stripes: 4).statistics.bytes
        #expect(cache.statistics.bytes == empty)
    }

    // A sanitizer's own memory is counted too.
    @Test(.disabled(if: Sanitizer.isPresent))
    func tenThousandDocumentsTakeAtMostEightyMebibytes() throws {
        let output = try ShellProcess.run("exec '\(CacheWorker.path)' fill", in: "/")
        let figures = Dictionary(
            uniqueKeysWithValues: output.split(separator: "\n").map { line in
                let words = line.split(separator: " ")
                return (String(words[0]), Int(words[1]) ?? -1)
            })
        // Each of the 100 hot documents is missing once, when it is asked for first.
        #expect(figures["misses"] == 100)
        #expect(try #require(figures["inserted"]) > 200 << 20)
        #expect(try #require(figures["cached"]) <= 64 << 20)
        #expect(try #require(figures["resident"]) <= 80 << 20)
    }
}

/// The program that uses the cache in a process of its own, which is built into the same folder as the tests.
enum CacheWorker {
    static let path = String(WeirProcess.binary.dropLast("weir".count)) + "cache-worker"
}
