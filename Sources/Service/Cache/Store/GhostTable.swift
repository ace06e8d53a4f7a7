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
