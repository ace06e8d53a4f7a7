public import Synchronization

/// A cache of values by key, bounded in bytes, whose entries leave by S3-FIFO.
///
/// The keys are divided among stripes by their hashes. A call takes the lock of one stripe and holds it for a bounded
/// number of steps, whatever the number of entries; values are released while no lock is held.
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

    /// The bytes that an entry takes up besides its cost: its place in the tables, which hold the key and the value.
    ///
    /// Memory that they refer to is part of the cost. The tables have room for up to 256 more entries in each stripe.
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
        let hash = UInt(bitPattern: key.hashValue)
        return stripe(hash).state.withLock { $0.use(key, UInt32(truncatingIfNeeded: hash)) }
    }

    /// Stores a value in place of the one that the key had, if any.
    ///
    /// - Parameter cost: The bytes of memory that the key and the value refer to; a negative cost counts as 0.
    /// - Returns: Whether the value was stored; false if it is too large for a stripe. The key then has no value.
    @discardableResult
    public func insert(_ value: Value, for key: Key, cost: Int) -> Bool {
        change(key) { $0.insert(value, for: key, $1, cost: cost, dropped: &$2) }
    }

    /// Adds to the cost of an entry, after its value has come to refer to more memory, or to less.
    ///
    /// Entries leave if the cache is now too large, maybe this one; it leaves in any case if it is too large for a stripe.
    /// - Parameter isCurrent: Whether the stored value is the one that has grown; called under the lock.
    /// - Returns: Whether the entry was there and could grow.
    @discardableResult
    public func grow(_ key: Key, by bytes: Int, ifCurrent isCurrent: (Value) -> Bool = { _ in true }) -> Bool {
        change(key) { $0.grow(key, $1, by: bytes, ifCurrent: isCurrent, dropped: &$2) }
    }

    /// Removes the entry of the key and returns its value; nil if there was none.
    @discardableResult
    public func remove(_ key: Key) -> Value? {
        let hash = UInt(bitPattern: key.hashValue)
        return stripe(hash).state.withLock { $0.remove(key, UInt32(truncatingIfNeeded: hash)) }?.value
    }

    /// Removes all entries, and what is remembered of those that left; the statistics start again.
    public func removeAll() {
        for stripe in stripes {
            var empty = Self.emptyStripe(of: stripes.count, maximumBytes: maximumBytes)
            stripe.state.withLock { swap(&$0, &empty) }
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
    func stripe(_ hash: UInt) -> Stripe {
        // The upper half of the hash chooses the stripe, the lower half the bucket.
        stripes[Int(truncatingIfNeeded: ((hash >> 32) * UInt(stripes.count)) >> 32)]
    }

    /// Changes the stripe of the key in steps, until it fits again.
    private func change(
        _ key: Key,
        _ body: (inout CacheStripe<Key, Value>, UInt32, inout [CacheStripe<Key, Value>.Content])
            -> CacheStripe<Key, Value>.Progress
    ) -> Bool {
        let hash = UInt(bitPattern: key.hashValue)
        let stripe = stripe(hash)
        // Values leave in here, and are released when no lock is held.
        var dropped: [CacheStripe<Key, Value>.Content] = []
        var progress = CacheStripe<Key, Value>.Progress.unfinished
        while progress == .unfinished {
            dropped.removeAll(keepingCapacity: true)
            progress = stripe.state.withLock { body(&$0, UInt32(truncatingIfNeeded: hash), &dropped) }
        }
        var fits = false
        while !fits {
            fits = stripe.state.withLock { $0.trim(dropped: &dropped) }
            dropped.removeAll(keepingCapacity: true)
        }
        return progress == .done
    }
}
