import CScan

/// The state of a parse: where the tape ends and which container is open.
///
/// Small and trivial, so that it lives in registers: cold paths never take it by reference. What an outer container
/// needs to go on waits in its own words on the tape, so that nesting takes no other memory.
struct TapeBuilder {
    typealias Cursor = UnsafePointer<UInt8>

    private let base: Cursor
    private(set) var words: UnsafeMutablePointer<UInt64>
    private var capacity: Int
    private(set) var count = Tape.rootIndex
    /// The tape index of the innermost open container; 0 is the one around the root.
    private var container = 0
    private(set) var isObject = false
    /// The elements or members of the open container so far.
    private(set) var members = 0
    private var bloom: UInt64 = 0
    /// The number of open containers.
    private(set) var depth = 0

    init(_ tape: Tape, _ base: Cursor, _ end: Cursor) {
        self.base = base
        words = tape.words
        capacity = tape.capacity
        words[0] = Tape.word(.array, length: 0, offset: 0)
        words[1] = UInt64(truncatingIfNeeded: end - base) << 32
        words[2] = 0
    }

    /// Whether the root is complete.
    @inline(__always)
    var isAtRoot: Bool { container == 0 }

    /// Whether the largest thing that one step appends, a key with a container, might not fit.
    @inline(__always)
    var isFull: Bool { capacity &- count < 8 }

    @inline(never)
    static func moreRoom(_ tape: Tape, keeping count: Int) -> (UnsafeMutablePointer<UInt64>, Int) {
        tape.grow(keeping: count)
        return (tape.words, tape.capacity)
    }

    @inline(__always)
    mutating func grow(_ tape: Tape) { (words, capacity) = Self.moreRoom(tape, keeping: count) }

    @inline(__always)
    mutating func append(_ kind: JSONNode.Kind, _ first: Cursor, _ end: Cursor) {
        words[count] = Tape.word(kind, length: end - first, offset: first - base)
        count &+= 1
    }

    /// Opens a container.
    @inline(__always)
    mutating func open(_ kind: JSONNode.Kind, at cursor: Cursor) {
        depth &+= 1
        words[container] |= UInt64(truncatingIfNeeded: members) << 32
        words[container &+ 2] = bloom
        words[count] = Tape.word(kind, length: 0, offset: cursor - base)
        words[count &+ 1] = UInt64(truncatingIfNeeded: container)
        container = count
        count &+= 3
        members = 0
        bloom = 0
        isObject = kind == .object
    }

    /// Closes the container whose closing bracket stands at `cursor`, and goes on in the one around it.
    @inline(__always)
    mutating func close(at cursor: Cursor) -> Cursor {
        let outer = Int(truncatingIfNeeded: words[container &+ 1])
        words[container] |= UInt64(truncatingIfNeeded: members) << 32
        words[container &+ 1] = UInt64(truncatingIfNeeded: cursor + 1 - base) << 32 | UInt64(truncatingIfNeeded: count)
        words[container &+ 2] = bloom
        let word = words[outer]
        container = outer
        members = Int(truncatingIfNeeded: (word & Tape.lengthMask) >> 32)
        words[outer] = word & ~Tape.lengthMask
        bloom = words[outer &+ 2]
        isObject = word >> 60 == UInt64(JSONNode.Kind.object.rawValue)
        depth &-= 1
        return cursor + 1
    }

    /// Counts an element or a member of the open container.
    @inline(__always)
    mutating func countMember() { members &+= 1 }

    /// Notes the key that was appended last.
    @inline(__always)
    mutating func noteKey(_ first: Cursor, _ end: Cursor, isEscaped: Bool) {
        bloom |= isEscaped ? KeyBloom.full : KeyBloom.bit(first, length: end - first)
    }
}
