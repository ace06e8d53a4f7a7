/// The parsed form of a document: a word per scalar or key, two per container, in document order.
///
/// A word is `kind:4 | length:28 | offset:32`, the offset and length of the value's text in the source (the length
/// of a container is its number of elements or members). The second word of a container is
/// `end of its text:32 | tape index after it:32`, so that skipping it is one load.
@usableFromInline
struct Tape: ~Copyable {
    static let maximumLength = (1 << 28) - 1

    @usableFromInline private(set) var words: UnsafeMutablePointer<UInt64>
    @usableFromInline private(set) var count = 0
    private var capacity: Int

    init(capacity: Int = 256) {
        self.capacity = max(capacity, 16)
        words = .allocate(capacity: self.capacity)
    }

    deinit { words.deallocate() }

    /// Forgets the words, keeps the memory.
    mutating func reset(expecting expected: Int) {
        count = 0
        if expected > capacity { grow(to: expected) }
    }

    @inline(__always)
    mutating func append(_ word: UInt64) {
        if count == capacity { grow(to: capacity * 2) }
        words[count] = word
        count &+= 1
    }

    @inline(__always)
    func replace(at index: Int, with word: UInt64) { words[index] = word }

    @inline(never)
    private mutating func grow(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: newCapacity)
        larger.moveInitialize(from: words, count: count)
        words.deallocate()
        words = larger
        capacity = newCapacity
    }

    @inline(__always)
    static func word(_ kind: JSONNode.Kind, length: Int, offset: Int) -> UInt64 {
        UInt64(kind.rawValue) << 60 | UInt64(truncatingIfNeeded: min(length, maximumLength)) << 32
            | UInt64(truncatingIfNeeded: offset)
    }
}
