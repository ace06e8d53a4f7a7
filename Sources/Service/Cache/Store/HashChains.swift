/// A hash table over the entries 0, 1, 2 and so on, which grows and shrinks by a bucket at a time (linear hashing, Litwin,
/// 1980): a table that doubles would rehash a million entries under the lock.
@usableFromInline
struct HashChains: Sendable {
    @usableFromInline
    struct Link: Sendable {
        @usableFromInline var hash: UInt32
        /// The next entry of the bucket, or -1.
        @usableFromInline var next: Int32
    }

    /// The bytes of an entry: its link, and its bucket, of which there are at most two per entry.
    static let bytesPerEntry = MemoryLayout<Link>.stride + 2 * MemoryLayout<Int32>.stride
    private static let fewestBuckets = 16

    @usableFromInline var links = PagedArray<Link>()
    /// The first entry of each bucket, or -1.
    @usableFromInline var buckets = PagedArray<Int32>()
    /// A power of two: there are at least as many buckets, and at most twice as many.
    @usableFromInline var half = fewestBuckets

    init() {
        for _ in 0..<Self.fewestBuckets { buckets.append(-1) }
    }

    @inlinable
    func bucket(of hash: UInt32) -> Int {
        let wide = Int(hash) & (2 * half - 1)
        return wide < buckets.count ? wide : wide & (half - 1)
    }

    /// Returns the first entry with the hash, or -1.
    @inlinable
    func first(_ hash: UInt32) -> Int { match(buckets[bucket(of: hash)], hash) }

    /// Returns the next entry with the hash, or -1.
    @inlinable
    func next(after index: Int, _ hash: UInt32) -> Int { match(links[index].next, hash) }

    @inlinable
    func match(_ start: Int32, _ hash: UInt32) -> Int {
        var index = start
        while index >= 0, links[Int(index)].hash != hash { index = links[Int(index)].next }
        return Int(index)
    }

    /// Adds the next entry.
    mutating func append(_ hash: UInt32) {
        let bucket = bucket(of: hash)
        links.append(Link(hash: hash, next: buckets[bucket]))
        buckets[bucket] = Int32(links.count - 1)
        if links.count > buckets.count { split() }
    }

    /// Removes the entry at `index`, whose place the last entry takes.
    mutating func swapRemove(_ index: Int) {
        redirect(index, to: links[index].next)
        let last = links.count - 1
        if index != last { redirect(last, to: Int32(index)) }
        _ = links.swapRemove(index)
        // Twice, because an entry less allows two buckets less.
        for _ in 0..<2 where buckets.count > max(2 * links.count, Self.fewestBuckets) { merge() }
    }

    /// Makes what leads to the entry at `index` lead to `target`.
    private mutating func redirect(_ index: Int, to target: Int32) {
        let bucket = bucket(of: links[index].hash)
        if buckets[bucket] == Int32(index) {
            buckets[bucket] = target
            return
        }
        var previous = Int(buckets[bucket])
        while links[previous].next != Int32(index) { previous = Int(links[previous].next) }
        links[previous].next = target
    }

    /// Adds a bucket, which takes its entries from the bucket that had them.
    private mutating func split() {
        if buckets.count == 2 * half { half *= 2 }
        let (new, old) = (buckets.count, buckets.count - half)
        var index = buckets[old]
        var heads = (old: Int32(-1), new: Int32(-1))
        while index >= 0 {
            let link = links[Int(index)]
            if Int(link.hash) & (2 * half - 1) == new {
                links[Int(index)].next = heads.new
                heads.new = index
            } else {
                links[Int(index)].next = heads.old
                heads.old = index
            }
            index = link.next
        }
        buckets[old] = heads.old
        buckets.append(heads.new)
    }

    /// Removes the last bucket, whose entries go back to the bucket from which they came.
    private mutating func merge() {
        if buckets.count == half { half /= 2 }
        let from = buckets.count - 1
        let to = from - half
        let first = buckets.swapRemove(from)
        guard first >= 0 else { return }
        var last = first
        while links[Int(last)].next >= 0 { last = links[Int(last)].next }
        links[Int(last)].next = buckets[to]
        buckets[to] = first
    }
}
