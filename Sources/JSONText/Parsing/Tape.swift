import Synchronization

/// The memory of a parsed document: a word per scalar or key, three per container, in document order.
///
/// A word is `kind:4 | length:28 | offset:32`, the offset and length of the value's text in the source (the length
/// of a container is its number of elements or members). The second word of a container is
/// `end of its text:32 | tape index after it:32`, so that skipping it is one load; the third of an object is a bloom
/// of its keys. The first three words are a container around the document's root.
// Unchecked: a tape is in the hands of one parser or, unused, in the pool.
final class Tape: @unchecked Sendable {
    static let maximumLength = (1 << 28) - 1
    /// The tape index of the root.
    static let rootIndex = 3

    private(set) var words: UnsafeMutablePointer<UInt64>
    private(set) var capacity: Int

    private init(capacity: Int) {
        self.capacity = capacity
        words = .allocate(capacity: capacity)
    }

    deinit { words.deallocate() }

    /// Makes room for more words than there is, and keeps the first `count`.
    @inline(never)
    func grow(keeping count: Int) { resize(to: capacity * 2, keeping: count) }

    private func resize(to newCapacity: Int, keeping count: Int) {
        let larger = UnsafeMutablePointer<UInt64>.allocate(capacity: newCapacity)
        larger.moveInitialize(from: words, count: count)
        words.deallocate()
        words = larger
        capacity = newCapacity
    }
}

extension Tape {
    /// Tapes that wait for the next document: taking one is cheaper than mapping and faulting in new memory.
    private static let pool = Mutex<[Tape]>([])
    /// At most so many tapes of at most so many words are kept: 8 MiB in all.
    private static let keptTapes = 8
    private static let keptWords = 1 << 17

    /// A tape for a document of `length` bytes.
    static func take(forBytes length: Int) -> Tape {
        // Twitter's documents take a word for 20 bytes, dense arrays of numbers one for 4.
        let expected = max(length / 12, 256)
        guard let tape = pool.withLock({ $0.popLast() }) else { return Tape(capacity: expected) }
        if tape.capacity < expected { tape.resize(to: expected, keeping: 0) }
        return tape
    }

    /// Gives the tape back, for another document or to be freed.
    static func giveBack(_ tape: Tape) {
        guard tape.capacity <= keptWords else { return }
        pool.withLock { if $0.count < keptTapes { $0.append(tape) } }
    }

    @inline(__always)
    static func word(_ kind: JSONNode.Kind, length: Int, offset: Int) -> UInt64 {
        UInt64(kind.rawValue) << 60 | UInt64(truncatingIfNeeded: length) << 32 | UInt64(truncatingIfNeeded: offset)
    }

    static let lengthMask = UInt64(maximumLength) << 32
}
