/// A part of a cache, which its lock protects: entries, their order, and the ghosts of those that left.
///
/// An entry has the same index in `contents` and in `queues`.
@usableFromInline
struct CacheStripe<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline
    struct Content: Sendable {
        @usableFromInline let key: Key
        @usableFromInline var value: Value

        @inlinable
        init(key: Key, value: Value) { (self.key, self.value) = (key, value) }
    }

    /// What is left to do after a step.
    @usableFromInline
    enum Progress {
        case done, unfinished, refused
    }

    /// The most entries that leave in one step, so that the lock is free in between.
    private static var mostVictims: Int { 32 }

    @usableFromInline var contents: [Content] = []
    @usableFromInline var indices: [Key: Int32] = [:]
    @usableFromInline var queues: FIFOQueues
    @usableFromInline var statistics = CacheStatistics()
    private var ghosts: GhostTable
    private var room: Int

    /// A stripe that takes up at most `bytes`, of which `ghostBytes` remember what has left.
    init(bytes: Int, ghostBytes: Int) {
        ghosts = GhostTable(bytes: ghostBytes)
        room = Self.room(bytes, ghosts)
        queues = FIFOQueues(smallWeight: room / 10)
    }

    /// The weight that the entries may have together, bounded so that an index of 32 bits counts them.
    private static func room(_ bytes: Int, _ ghosts: GhostTable) -> Int {
        min(max(0, bytes - ghosts.bytes), overhead << 30)
    }

    /// The bytes of an entry besides its cost, when each table has just grown: an array to twice its count, the dictionary to
    /// fewer than three slots for an entry.
    static var overhead: Int {
        2 * (MemoryLayout<Content>.stride + FIFOQueues.bytesPerEntry)
            + 3 * (MemoryLayout<Key>.stride + MemoryLayout<Int32>.stride)
    }

    /// The most that an entry may weigh: it does not push out more than a half of the others.
    var mostWeight: Int { room / 2 }

    /// Returns the value of the entry, and counts the use.
    @inlinable
    mutating func use(_ key: Key) -> Value? {
        guard let index = indices[key] else {
            statistics.misses &+= 1
            return nil
        }
        statistics.hits &+= 1
        queues.noteUse(Int(index))
        return contents[Int(index)].value
    }

    /// Stores a value, or makes room for it; what leaves is added to `dropped`.
    mutating func insert(_ value: Value, for key: Key, cost: Int, dropped: inout [Content]) -> Progress {
        let index = find(key)
        guard let weight = weight(cost) else {
            statistics.refusals &+= 1
            if let index { dropped.append(remove(at: index)) }
            return .refused
        }
        if let index {
            dropped.append(contents[index])
            contents[index].value = value
            queues.setWeight(weight, of: index)
            return .done
        }
        guard trim(to: room - weight, dropped: &dropped) else { return .unfinished }
        let isGhost = ghosts.remove(Self.hash(of: key), lifetime: contents.count)
        if isGhost { statistics.ghostHits &+= 1 }
        statistics.insertions &+= 1
        indices[key] = Int32(contents.count)
        contents.append(Content(key: key, value: value))
        queues.append(weight: weight, toMain: isGhost)
        return .done
    }

    /// Adds `bytes` to the cost of the entry and stores what `update` returns, if that is a value.
    mutating func grow(
        _ key: Key, by bytes: Int, update: (Value) -> Value?, dropped: inout [Content]
    ) -> Progress {
        guard let index = find(key), let value = update(contents[index].value) else { return .refused }
        let (cost, overflows) = (queues.weight(of: index) - Self.overhead).addingReportingOverflow(bytes)
        guard !overflows, let weight = weight(cost) else {
            statistics.refusals &+= 1
            dropped.append(remove(at: index))
            return .refused
        }
        queues.setWeight(weight, of: index)
        dropped.append(contents[index])
        contents[index].value = value
        return .done
    }

    /// Lets entries leave until those that stay weigh at most `limit`; false if more have to leave than in one step.
    mutating func trim(to limit: Int, dropped: inout [Content]) -> Bool {
        var (victims, steps) = (0, 0)
        while queues.weight > limit, victims < Self.mostVictims, let victim = queues.chooseVictim() {
            if victim.isGhost { ghosts.insert(Self.hash(of: contents[victim.index].key)) }
            dropped.append(remove(at: victim.index))
            (victims, steps) = (victims + 1, steps + victim.steps)
        }
        statistics.evictions &+= victims
        statistics.longestTurn = max(statistics.longestTurn, steps)
        return queues.weight <= limit
    }

    /// Lets entries leave that do not fit since others have grown.
    mutating func trim(dropped: inout [Content]) -> Bool { trim(to: room, dropped: &dropped) }

    /// Changes what the stripe may take up to `bytes`; `trim` lets entries leave then.
    mutating func resize(to bytes: Int) {
        room = Self.room(bytes, ghosts)
        queues.smallWeight = room / 10
    }

    mutating func remove(_ key: Key) -> Content? { find(key).map { remove(at: $0) } }

    private mutating func remove(at index: Int) -> Content {
        queues.swapRemove(index)
        let removed = contents.swapRemove(index)
        indices[removed.key] = nil
        if index < contents.count { indices[contents[index].key] = Int32(index) }
        return removed
    }

    private func find(_ key: Key) -> Int? { indices[key].map { Int($0) } }

    private static func hash(of key: Key) -> UInt32 { UInt32(truncatingIfNeeded: key.hashValue) }

    /// What an entry of this cost weighs; nil if that is more than an entry may.
    private func weight(_ cost: Int) -> Int? {
        let (weight, overflows) = max(0, cost).addingReportingOverflow(Self.overhead)
        return overflows || weight > mostWeight ? nil : weight
    }

    /// The statistics with what is stored now.
    var currentStatistics: CacheStatistics {
        var current = statistics
        (current.entries, current.bytes) = (contents.count, queues.weight + ghosts.bytes)
        return current
    }
}
