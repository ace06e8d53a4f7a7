// Unsafe: owns the memory of the slots from `init` to `deinit`; indices are masked to their number.
import Glibc
import Synchronization

/// The states of clients under limits, in a bounded table that all event loops read and write without locks.
///
/// A key, the hash of a client and a limit, has a set of eight slots. A new key takes the slot whose client is nearest to its
/// full burst: most such clients have it, and lose nothing. A set's keys are one cache line, and its states another.
package final class ClientTable: Sendable {
    private static let ways = 8
    /// The memory of a slot: its key and its state.
    static let slotBytes = 16
    /// The bounds of the table: 65,536 and 1,048,576 clients.
    package static let leastBytes = 1 << 20, mostBytes = 16 << 20

    /// Sets one after another: eight keys, and then eight states.
    ///
    /// Key 0 is a free slot.
    private nonisolated(unsafe) let words: UnsafeMutablePointer<Atomic<UInt64>>
    private nonisolated(unsafe) let memory: UnsafeMutableRawPointer
    private let sets: Int
    private let losses = Atomic<Int>(0)

    /// A table of at most `bytes`, or of the least or the greatest size.
    ///
    /// The system gives pages as clients come: the table of a few clients takes up a few of them.
    package init(bytes: Int) {
        let bound = min(max(bytes, Self.leastBytes), Self.mostBytes)
        var sets = 1
        while 2 * sets * Self.ways * Self.slotBytes <= bound { sets *= 2 }
        let alignment = Self.ways * Self.slotBytes
        // As Swift's own memory: without it, no limit holds.
        guard let memory = calloc(sets + 1, alignment) else { preconditionFailure("no memory for limits of clients") }
        (self.sets, self.memory) = (sets, memory)
        words = memory.alignedUp(toMultipleOf: alignment)
            .bindMemory(to: Atomic<UInt64>.self, capacity: sets * Self.ways * 2)
    }

    deinit { free(memory) }

    /// The memory that it takes up.
    package var bytes: Int { sets * Self.ways * Self.slotBytes }

    /// The clients that left the table before their burst was full again.
    package var evictions: Int { losses.load(ordering: .relaxed) }

    /// Counts a request as `cost` requests, unless `rate` does not allow it now.
    func take(_ cost: Int, of rate: RequestRate, _ key: UInt64, at now: UInt64) -> RequestRate.Decision {
        let key = max(key, 1), keys = words + Int(truncatingIfNeeded: key) & (sets - 1) * (2 * Self.ways)
        for way in 0..<Self.ways where keys[way].load(ordering: .relaxed) == key {
            return take(cost, of: rate, keys + way + Self.ways, at: now)
        }
        let decision = rate.decide(cost, state: 0, at: now)
        guard case .admitted(let state) = decision else { return decision }
        // Another look, if another event loop has taken the slot; a third one changes little.
        for _ in 0..<2 {
            var coldest = 0, least = UInt64.max
            for way in 0..<Self.ways {
                let state = keys[way + Self.ways].load(ordering: .relaxed)
                if state < least { (coldest, least) = (way, state) }
            }
            // The state first: for a moment it is that of the old client, whose burst is nearly always full.
            let (isMine, _) = keys[coldest + Self.ways].compareExchange(
                expected: least, desired: state, ordering: .relaxed)
            guard isMine else { continue }
            keys[coldest].store(key, ordering: .relaxed)
            if least > now { losses.add(1, ordering: .relaxed) }
            break
        }
        return decision
    }

    /// Moves the state of a client that the table has back by a time that it was moved forward by.
    func giveBack(_ nanoseconds: UInt64, _ key: UInt64) {
        let key = max(key, 1), keys = words + Int(truncatingIfNeeded: key) & (sets - 1) * (2 * Self.ways)
        for way in 0..<Self.ways where keys[way].load(ordering: .relaxed) == key {
            keys[way + Self.ways].subtract(nanoseconds, ordering: .relaxed)
        }
    }

    /// Moves the state of a client that the table has forward to `state`.
    func raise(_ key: UInt64, to state: UInt64) {
        let key = max(key, 1), keys = words + Int(truncatingIfNeeded: key) & (sets - 1) * (2 * Self.ways)
        for way in 0..<Self.ways where keys[way].load(ordering: .relaxed) == key {
            keys[way + Self.ways].max(state, ordering: .relaxed)
        }
    }

    private func take(
        _ cost: Int, of rate: RequestRate, _ place: UnsafeMutablePointer<Atomic<UInt64>>, at now: UInt64
    ) -> RequestRate.Decision {
        var state = place.pointee.load(ordering: .relaxed)
        while true {
            let decision = rate.decide(cost, state: state, at: now)
            guard case .admitted(let next) = decision else { return decision }
            let (isDone, current) = place.pointee.compareExchange(expected: state, desired: next, ordering: .relaxed)
            if isDone { return decision }
            state = current
        }
    }
}
