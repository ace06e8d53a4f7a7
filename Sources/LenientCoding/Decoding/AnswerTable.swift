/// What was found out about strings, to be found again by the representation of the string instead of its text.
///
/// A coding key's string is a literal: it has the same representation whenever it is asked for. A string with the
/// same text and another representation is a miss, which costs time and nothing else.
struct AnswerTable: ~Copyable {
    private struct Entry {
        /// Kept, so that no other string can come to have its representation.
        var name = ""
        var answer = Self.empty

        static let empty = Int.min
    }

    /// Past these a table does not grow: the names are made up anew each time.
    private static let maximumCount = 512

    private var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    private var count = 0

    /// A table that grows past `capacity` / 2 names; the capacity is a power of two.
    init(capacity: Int = 128) {
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: Entry(), count: capacity)
    }

    deinit {
        entries.deinitialize(count: capacity)
        entries.deallocate()
    }

    /// What was put in for `name`.
    @inline(__always)
    subscript(name: String) -> Int? {
        let bits = Self.bits(name)
        let mask = capacity &- 1
        var slot = Self.hash(bits) & mask
        while entries[slot].answer != Entry.empty {
            if Self.bits(entries[slot].name) == bits { return entries[slot].answer }
            slot = (slot &+ 1) & mask
        }
        return nil
    }

    /// Puts in an answer for a name that has none yet.
    mutating func insert(_ answer: Int, for name: String) {
        guard count < Self.maximumCount else { return }
        if count * 2 >= capacity { grow() }
        count += 1
        place(Entry(name: name, answer: answer))
    }

    /// Whether two strings are the same without looking at their text.
    @inline(__always)
    static func isIdentical(_ left: String, _ right: String) -> Bool { bits(left) == bits(right) }

    private mutating func place(_ entry: Entry) {
        let mask = capacity - 1
        var slot = Self.hash(Self.bits(entry.name)) & mask
        while entries[slot].answer != Entry.empty { slot = (slot + 1) & mask }
        entries[slot] = entry
    }

    private mutating func grow() {
        let (old, oldCapacity) = (entries, capacity)
        capacity = oldCapacity * 2
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: Entry(), count: capacity)
        for slot in 0..<oldCapacity where old[slot].answer != Entry.empty { place(old[slot]) }
        old.deinitialize(count: oldCapacity)
        old.deallocate()
    }

    @inline(__always)
    private static func bits(_ name: String) -> (UInt, UInt) { unsafeBitCast(name, to: (UInt, UInt).self) }

    @inline(__always)
    private static func hash(_ bits: (UInt, UInt)) -> Int {
        let mixed = (bits.0 ^ (bits.1 &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed >> 40)
    }
}
