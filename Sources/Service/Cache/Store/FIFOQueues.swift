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

    private var nodes = PagedArray<Node>()
    private var ends = (small: Ends(), main: Ends())
    private let smallWeight: Int

    /// - Parameter smallWeight: What the small queue may keep while the cache is full.
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
