/// The order in which entries leave the cache: S3-FIFO (Yang and others, SOSP 2023), with sizes in bytes.
///
/// A new entry joins the small queue, or the main queue if it left the small one lately. What was used there moves to the
/// main queue, the rest leaves. What was used in the main queue goes around once more for each use, up to three.
@usableFromInline
struct FIFOQueues: Sendable {
    private enum Queue: UInt8 { case small, main }

    private struct Node: Sendable {
        var weight: Int
        var newer: Int32 = -1
        var older: Int32 = -1
        var queue: Queue
        var uses: UInt8 = 0
    }

    private struct Ends {
        var oldest: Int32 = -1
        var newest: Int32 = -1
        var weight = 0
        var count = 0
    }

    /// An entry that is to leave, and whether it is to be remembered as a ghost.
    struct Victim {
        let index: Int
        let isGhost: Bool
        /// How many entries were looked at.
        let steps: Int
    }

    static let bytesPerEntry = MemoryLayout<Node>.stride
    /// The most entries that one eviction looks at: without a limit, a million used entries would all be looked at.
    static let mostSteps = 32
    private static let mostUses: UInt8 = 3

    private var nodes: [Node] = []
    private var ends = (small: Ends(), main: Ends())
    /// The weight that the small queue may keep while the cache is full.
    var smallWeight: Int

    init(smallWeight: Int) { self.smallWeight = smallWeight }

    var count: Int { nodes.count }
    var weight: Int { ends.small.weight + ends.main.weight }
    var mainCount: Int { ends.main.count }

    /// Adds the next entry.
    mutating func append(weight: Int, toMain: Bool) {
        nodes.append(Node(weight: weight, queue: toMain ? .main : .small))
        link(nodes.count - 1)
    }

    /// Counts a use.
    @usableFromInline
    mutating func noteUse(_ index: Int) {
        // Most entries that are used have been used often: these are not written.
        if nodes[index].uses < Self.mostUses { nodes[index].uses += 1 }
    }

    func weight(of index: Int) -> Int { nodes[index].weight }

    mutating func setWeight(_ weight: Int, of index: Int) {
        let difference = weight - nodes[index].weight
        nodes[index].weight = weight
        change(nodes[index].queue) { $0.weight += difference }
    }

    /// Removes the entry at `index`, whose place the last entry takes.
    mutating func swapRemove(_ index: Int) {
        unlink(index)
        _ = nodes.swapRemove(index)
        guard index < nodes.count else { return }
        let moved = nodes[index]
        if moved.older >= 0 { nodes[Int(moved.older)].newer = Int32(index) }
        if moved.newer >= 0 { nodes[Int(moved.newer)].older = Int32(index) }
        change(moved.queue) { ends in
            if moved.older < 0 { ends.oldest = Int32(index) }
            if moved.newer < 0 { ends.newest = Int32(index) }
        }
    }

    /// Chooses the entry that leaves next, which the caller removes; nil without entries.
    mutating func chooseVictim() -> Victim? {
        var leastUsed: (index: Int, uses: UInt8)?
        for step in 1...Self.mostSteps {
            let isSmall = ends.small.weight > smallWeight || ends.main.count == 0
            let oldest = Int(isSmall ? ends.small.oldest : ends.main.oldest)
            guard oldest >= 0 else { return nil }
            let uses = nodes[oldest].uses
            if uses == 0 { return Victim(index: oldest, isGhost: isSmall, steps: step) }
            if uses < leastUsed?.uses ?? .max { leastUsed = (oldest, uses) }
            unlink(oldest)
            nodes[oldest].queue = .main
            nodes[oldest].uses = isSmall ? 0 : uses - 1
            link(oldest)
        }
        return leastUsed.map { Victim(index: $0.index, isGhost: false, steps: Self.mostSteps) }
    }

    /// Makes the entry at `index` the newest one of its queue.
    private mutating func link(_ index: Int) {
        let queue = nodes[index].queue
        let newest = queue == .small ? ends.small.newest : ends.main.newest
        (nodes[index].older, nodes[index].newer) = (newest, -1)
        if newest >= 0 { nodes[Int(newest)].newer = Int32(index) }
        let weight = nodes[index].weight
        change(queue) { ends in
            if newest < 0 { ends.oldest = Int32(index) }
            ends.newest = Int32(index)
            ends.weight += weight
            ends.count += 1
        }
    }

    private mutating func unlink(_ index: Int) {
        let node = nodes[index]
        if node.older >= 0 { nodes[Int(node.older)].newer = node.newer }
        if node.newer >= 0 { nodes[Int(node.newer)].older = node.older }
        change(node.queue) { ends in
            if node.older < 0 { ends.oldest = node.newer }
            if node.newer < 0 { ends.newest = node.older }
            ends.weight -= node.weight
            ends.count -= 1
        }
    }

    private mutating func change(_ queue: Queue, _ body: (inout Ends) -> Void) {
        switch queue {
        case .small: body(&ends.small)
        case .main: body(&ends.main)
        }
    }
}

extension Array {
    /// Removes the element at `index`, whose slot the last element takes.
    mutating func swapRemove(_ index: Int) -> Element {
        var removed = removeLast()
        if index < count { swap(&removed, &self[index]) }
        return removed
    }
}

/// The hashes of entries that left the cache lately without having been used.
///
/// A bucket of eight hashes is a line of the processor's cache; a new hash takes the place of the oldest one of its bucket.
/// So the table needs no queue, and its size is fixed. A hash that collides (1 of 2^32) admits an entry that is new.
struct GhostTable {
    private struct Ghost {
        var hash: UInt32 = 0
        /// The number of the hash, modulo 2^32.
        var stamp: UInt32 = 0
    }

    private static let ways = 8
    private static let bytesPerBucket = ways * MemoryLayout<Ghost>.stride
    private static let longestLife = UInt32(1) << 31

    private var ghosts: [Ghost]
    private let mask: Int
    private var clock = longestLife

    /// A table of at most `bytes`, or of one bucket.
    init(bytes: Int) {
        var buckets = 1
        while 2 * buckets * Self.bytesPerBucket <= bytes { buckets *= 2 }
        mask = buckets - 1
        ghosts = Array(repeating: Ghost(), count: buckets * Self.ways)
    }

    var bytes: Int { ghosts.count * MemoryLayout<Ghost>.stride }

    mutating func insert(_ hash: UInt32) {
        let bucket = bucket(of: hash)
        var (target, oldest) = (bucket.lowerBound, UInt32(0))
        for index in bucket {
            let age = clock &- ghosts[index].stamp
            if ghosts[index].hash == hash || age > oldest { (target, oldest) = (index, age) }
            if ghosts[index].hash == hash { break }
        }
        ghosts[target] = Ghost(hash: hash, stamp: clock)
        clock &+= 1
    }

    /// Removes the hash; returns whether it was there, with fewer than `lifetime` hashes inserted since.
    mutating func remove(_ hash: UInt32, lifetime: Int) -> Bool {
        for index in bucket(of: hash) where ghosts[index].hash == hash {
            let age = clock &- ghosts[index].stamp
            ghosts[index].stamp = clock &- Self.longestLife
            return age <= min(lifetime, Int(Self.longestLife) - 1)
        }
        return false
    }

    private func bucket(of hash: UInt32) -> Range<Int> {
        let start = (Int(hash) & mask) * Self.ways
        return start..<start + Self.ways
    }
}
