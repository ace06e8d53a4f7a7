/// The memory of a parsed document: one word for a scalar or a key, two for a container, in document order.
///
/// A word is `kind:4 | length:28 | offset:32`: the offset and length of the value's text in the source. The length of a
/// container is its number of elements or members, and its second word is
/// `end of its text:32 | tape index after it:32`, so that one load skips it. The first two words are a container around
/// the document's root.
///
/// Unsafe: the parser and the nodes read and write the words through pointers without bounds checks. `TapeBuilder` makes
/// room before each step, and nodes exist only while `JSONParser` keeps the tape alive. The word before the first is the
/// address of the tape itself, through which nodes ask whether reading must stop.
final class Tape {
    /// The longest text that a word can describe.
    static let maximumLength = (1 << 28) - 1
    /// The tape index of the root.
    static let rootIndex = 2
    /// The tape words of a container before its first element or key.
    static let containerWords = 2

    /// The words that are filled between two questions whether parsing must stop.
    private static let wordsBetweenChecks = 16_384
    private static let smallestCapacity = 256

    private(set) var words: UnsafeMutablePointer<UInt64>
    /// The number of words that may be filled before `grow` is called.
    private(set) var capacity: Int
    /// The numbers on the tape that are not finite.
    var nonFiniteNumbers = 0
    private var allocated: Int
    private let isExpired: (@Sendable () -> Bool)?

    /// A tape for a document of `length` bytes.
    init(forBytes length: Int, isExpired: (@Sendable () -> Bool)?) {
        // Twitter's documents take a word for 20 bytes, dense arrays of numbers one for 4.
        allocated = max(length / 12, Self.smallestCapacity)
        capacity = min(allocated, Self.wordsBetweenChecks)
        self.isExpired = isExpired
        words = Self.allocate(allocated)
        setOwner()
    }

    /// Frees the memory, after which no node of the document may be used.
    func deallocate() { (words - 1).deallocate() }

    /// Makes room for more words, keeps the first `count`, and returns false if parsing must stop.
    @inline(never)
    func grow(keeping count: Int) -> Bool {
        if isExpired?() == true { return false }
        if allocated - capacity < Self.smallestCapacity {
            allocated *= 2
            let larger = Self.allocate(allocated)
            larger.moveInitialize(from: words, count: count)
            deallocate()
            words = larger
            setOwner()
        }
        capacity = min(allocated, capacity + Self.wordsBetweenChecks)
        return true
    }

    /// Whether reading the document at `words` must stop.
    static func isExpired(at words: UnsafePointer<UInt64>) -> Bool {
        guard let owner = UnsafeRawPointer(bitPattern: UInt(words[-1])) else { return false }
        return Unmanaged<Tape>.fromOpaque(owner).takeUnretainedValue().isExpired?() == true
    }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<UInt64> { .allocate(capacity: count + 1) + 1 }

    private func setOwner() {
        let owner = isExpired == nil ? nil : Unmanaged.passUnretained(self).toOpaque()
        words[-1] = UInt64(UInt(bitPattern: owner))
    }

    @inline(__always)
    static func word(_ kind: JSONNode.Kind, length: Int, offset: Int) -> UInt64 {
        UInt64(kind.rawValue) << 60 | UInt64(truncatingIfNeeded: length) << 32 | UInt64(truncatingIfNeeded: offset)
    }

    static let lengthMask = UInt64(maximumLength) << 32
}

/// The state of a parse: the end of the tape and the open container.
///
/// What an outer container needs to go on waits in its own words on the tape, so nesting takes no other memory.
struct TapeBuilder {
    typealias Cursor = UnsafePointer<UInt8>

    private let base: Cursor
    private var words: UnsafeMutablePointer<UInt64>
    /// The place of the next word.
    private var next: UnsafeMutablePointer<UInt64>
    /// The last place of the next word from which there is room for a step.
    private var limit: UnsafeMutablePointer<UInt64>
    /// The tape index of the innermost open container; 0 is the one around the root.
    private var container = 0
    /// Whether the open container is an object.
    private(set) var isObject = false
    /// The number of elements or members of the open container so far.
    private(set) var members = 0
    /// The number of open containers.
    private(set) var depth = 0

    /// The words that a step appends at most: a key and a container.
    private static let stepWords = 1 + Tape.containerWords

    init(_ tape: Tape, _ base: Cursor, _ end: Cursor) {
        self.base = base
        words = tape.words
        next = words + Tape.rootIndex
        limit = words + (tape.capacity - Self.stepWords)
        words[0] = Tape.word(.array, length: 0, offset: 0)
        words[1] = UInt64(truncatingIfNeeded: end - base) << 32
    }

    /// Whether the root is complete.
    @inline(__always)
    var isAtRoot: Bool { container == 0 }

    /// Whether there is room for a step.
    @inline(__always)
    var hasRoom: Bool { next <= limit }

    /// Makes room for a step; returns false if parsing must stop.
    mutating func grow(_ tape: Tape) -> Bool {
        let count = next - words
        guard tape.grow(keeping: count) else { return false }
        words = tape.words
        next = words + count
        limit = words + (tape.capacity - Self.stepWords)
        return true
    }

    @inline(__always)
    mutating func append(_ kind: JSONNode.Kind, _ first: Cursor, _ end: Cursor) {
        next.pointee = Tape.word(kind, length: end - first, offset: first - base)
        next += 1
    }

    /// Opens a container.
    mutating func open(_ kind: JSONNode.Kind, at cursor: Cursor) {
        depth += 1
        words[container] |= UInt64(truncatingIfNeeded: members) << 32
        next[0] = Tape.word(kind, length: 0, offset: cursor - base)
        next[1] = UInt64(truncatingIfNeeded: container)
        container = next - words
        next += Tape.containerWords
        members = 0
        isObject = kind == .object
    }

    /// Closes the container whose closing bracket is at `cursor`, and goes on in the one around it.
    mutating func close(at cursor: Cursor) {
        let outer = Int(truncatingIfNeeded: words[container + 1])
        words[container] |= UInt64(truncatingIfNeeded: members) << 32
        words[container + 1] =
            UInt64(truncatingIfNeeded: cursor + 1 - base) << 32 | UInt64(truncatingIfNeeded: next - words)
        let word = words[outer]
        container = outer
        members = Int(truncatingIfNeeded: (word & Tape.lengthMask) >> 32)
        words[outer] = word & ~Tape.lengthMask
        isObject = word >> 60 == UInt64(JSONNode.Kind.object.rawValue)
        depth -= 1
    }

    /// Counts an element or a member of the open container.
    @inline(__always)
    mutating func countMember() { members &+= 1 }
}
