public import Synchronization

/// A cache of values by key, bounded in bytes, whose entries leave by S3-FIFO.
///
/// The keys are divided among stripes by their hashes. A call takes the lock of one stripe and evicts a bounded number of
/// entries while it holds the lock; values are released while no lock is held.
///
///     let cache = ByteBoundedCache<String, Page>(maximumBytes: 64 << 20, stripes: 8)
///     cache.insert(page, for: "/weather", cost: page.bytes)
///     let page = cache.value(for: "/weather")
public final class ByteBoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    final class Stripe: Sendable {
        @usableFromInline let state: Mutex<CacheStripe<Key, Value>>

        init(_ state: CacheStripe<Key, Value>) { self.state = Mutex(state) }
    }

    /// The bytes that an entry takes up besides its cost: its slots in the tables, which hold the key and the value.
    ///
    /// Memory that they refer to is part of the cost.
    public static var overhead: Int { CacheStripe<Key, Value>.overhead }

    @usableFromInline let stripes: [Stripe]
    private let maximumBytes: Int

    /// Creates an empty cache.
    /// - Parameters:
    ///   - maximumBytes: What the entries and the tables may take up; a 64th of it remembers keys that have left.
    ///   - stripes: The number of parts with a lock each, 1 to 1,024. An entry takes up at most half of a part.
    public init(maximumBytes: Int, stripes: Int) {
        let count = min(max(1, stripes), 1024)
        self.maximumBytes = max(0, maximumBytes)
        self.stripes = (0..<count).map { _ in Stripe(Self.emptyStripe(of: count, maximumBytes: max(0, maximumBytes))) }
    }

    private static func emptyStripe(of count: Int, maximumBytes: Int) -> CacheStripe<Key, Value> {
        // Hashes of 8 bytes each for as many entries as there are with 512 bytes each, and at most four million.
        CacheStripe(bytes: maximumBytes / count, ghostBytes: min(maximumBytes / 64, 32 << 20) / count)
    }

    /// Returns the value that is stored for the key, and counts the use; it allocates nothing.
    @inlinable
    public func value(for key: Key) -> Value? {
        stripe(of: key).state.withLock { $0.use(key) }
    }

    /// Stores a value in place of the one that the key had, if any.
    ///
    /// - Parameter cost: The bytes of memory that the key and the value refer to; a negative cost counts as 0.
    /// - Returns: Whether the value was stored; false if it is too large for a stripe. The key then has no value.
    @discardableResult
    public func insert(_ value: Value, for key: Key, cost: Int) -> Bool {
        change(key) { $0.insert(value, for: key, cost: cost, dropped: &$1) }
    }

    /// Adds to the cost of an entry, after its value has come to refer to more memory, or to less.
    ///
    /// Entries leave if the cache is now too large, maybe this one; it leaves in any case if it is too large for a stripe.
    /// - Parameter update: Returns the value to store, such as the stored one itself; nil if that is not the value that has
    ///   grown. Called under the lock.
    /// - Returns: Whether the entry was there and could grow.
    @discardableResult
    public func grow(_ key: Key, by bytes: Int, update: (Value) -> Value? = { $0 }) -> Bool {
        change(key) { $0.grow(key, by: bytes, update: update, dropped: &$1) }
    }

    /// Removes the entry of the key and returns its value; nil if there was none.
    @discardableResult
    public func remove(_ key: Key) -> Value? {
        stripe(of: key).state.withLock { $0.remove(key) }?.value
    }

    /// Removes all entries, and what is remembered of those that left; the statistics start again.
    public func removeAll() {
        for stripe in stripes {
            var empty = Self.emptyStripe(of: stripes.count, maximumBytes: maximumBytes)
            stripe.state.withLock { swap(&$0, &empty) }
        }
    }

    /// Changes what the entries and the tables may take up, to less than at the start or as much; entries leave at once.
    public func resize(to bytes: Int) {
        var dropped: [CacheStripe<Key, Value>.Content] = []
        for stripe in stripes {
            stripe.state.withLock { $0.resize(to: bytes / stripes.count) }
            trim(stripe, &dropped)
        }
    }

    /// Calls `body` with all entries, while no lock is held.
    ///
    /// An entry that is there all the time is passed at least once; entries that come, leave or change meanwhile may be
    /// passed or not, or twice. It does not count as a use.
    public func forEach<Failure: Error>(_ body: (Key, Value) throws(Failure) -> Void) throws(Failure) {
        for stripe in stripes {
            // From the end: an entry that takes the place of a removed one moves towards those that are still to come.
            var end = Int.max
            while end > 0 {
                let part = stripe.state.withLock { state in
                    end = min(end, state.contents.count)
                    let start = max(0, end - 64)
                    defer { end = start }
                    return (start..<end).map { state.contents[$0] }
                }
                for content in part { try body(content.key, content.value) }
            }
        }
    }

    /// What the cache holds and has done, added up stripe by stripe.
    public var statistics: CacheStatistics {
        var sum = CacheStatistics()
        for stripe in stripes { sum.add(stripe.state.withLock { $0.currentStatistics }) }
        return sum
    }

    @inlinable
    func stripe(of key: Key) -> Stripe {
        // The upper half of the hash chooses the stripe, the lower half the ghost.
        stripes[Int(truncatingIfNeeded: ((UInt(bitPattern: key.hashValue) >> 32) * UInt(stripes.count)) >> 32)]
    }

    /// Changes the stripe of the key in steps, until it fits again.
    private func change(
        _ key: Key,
        _ body: (inout CacheStripe<Key, Value>, inout [CacheStripe<Key, Value>.Content])
            -> CacheStripe<Key, Value>.Progress
    ) -> Bool {
        let stripe = stripe(of: key)
        // Values leave in here, and are released when no lock is held.
        var dropped: [CacheStripe<Key, Value>.Content] = []
        var progress = CacheStripe<Key, Value>.Progress.unfinished
        while progress == .unfinished {
            dropped.removeAll(keepingCapacity: true)
            progress = stripe.state.withLock { body(&$0, &dropped) }
        }
        trim(stripe, &dropped)
        return progress == .done
    }

    /// Lets entries of the stripe leave in steps until it fits; `dropped` takes what leaves, and is empty at the end.
    private func trim(_ stripe: Stripe, _ dropped: inout [CacheStripe<Key, Value>.Content]) {
        var fits = false
        while !fits {
            fits = stripe.state.withLock { $0.trim(dropped: &dropped) }
            dropped.removeAll(keepingCapacity: true)
        }
    }
}

/// The content of a cache now, and its counters since it was made.
public struct CacheStatistics: Sendable, Equatable {
    /// The entries that are stored now.
    public internal(set) var entries = 0
    /// The bytes that they take up now, bookkeeping included.
    public internal(set) var bytes = 0
    /// Look-ups that found a value.
    public var hits = 0
    /// Look-ups that found none.
    public var misses = 0
    /// Values that were stored under keys that had none.
    public internal(set) var insertions = 0
    /// Entries that left to make room.
    public internal(set) var evictions = 0
    /// Insertions of keys that had left lately, and were admitted to the main queue at once.
    public internal(set) var ghostHits = 0
    /// Values that were too large to be kept.
    public internal(set) var refusals = 0
    /// The most entries that were looked at while a lock was held, to choose those that leave.
    public internal(set) var longestTurn = 0

    /// Nothing stored and nothing done.
    public init() {}

    mutating func add(_ other: CacheStatistics) {
        entries += other.entries
        bytes += other.bytes
        hits &+= other.hits
        misses &+= other.misses
        insertions &+= other.insertions
        evictions &+= other.evictions
        ghostHits &+= other.ghostHits
        refusals &+= other.refusals
        longestTurn = max(longestTurn, other.longestTurn)
    }
}
