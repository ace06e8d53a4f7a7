/// What was found out about coding keys, to be found again without looking at the text of their strings.
///
/// A small key is known again by what it is, another one by the representation of its string. That is a literal: it has
/// the same representation whenever it is asked for. A string with the same text and another representation is a
/// miss, which costs time and nothing else.
struct AnswerTable: ~Copyable {
    /// What a key is known again by.
    private struct Mark: Equatable {
        var first: UInt = 0
        var second: UInt = 0

        init() {}

        // No string's second word is as small as a byte.
        @inline(__always)
        init(_ key: SmallKey) {
            first = UInt(bitPattern: ObjectIdentifier(key.type))
            second = UInt(key.byte)
        }

        @inline(__always)
        init(_ name: String) { (first, second) = unsafeBitCast(name, to: (UInt, UInt).self) }

        // The type is known before the byte: what takes long is done with it.
        @inline(__always)
        var hash: Int {
            let mixed = (first &* 0xD6E8_FEB8_6659_FD93) >> 40
            return Int(truncatingIfNeeded: mixed &+ second &* 5 &+ second >> 4)
        }
    }

    private struct Entry {
        var mark = Mark()
        var answer = Self.empty

        static let empty = Int.min
    }

    /// Past these a table does not grow: the names are made up anew each time.
    private static let maximumCount = 512

    private var entries: UnsafeMutablePointer<Entry>
    private var capacity: Int
    /// Kept, so that no other strings can come to have their representations.
    private var names: [String] = []
    private var count = 0

    /// A table that grows past `capacity` / 2 keys; the capacity is a power of two.
    init(capacity: Int = 128) {
        self.capacity = capacity
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: Entry(), count: capacity)
    }

    deinit { entries.deallocate() }

    /// What was put in for `key`.
    @inline(__always)
    subscript(key: some CodingKey) -> Int? {
        if let small = key.small { return self[Mark(small)] }
        let name = key.stringValue
        return withExtendedLifetime(name) { self[Mark(name)] }
    }

    /// Puts in an answer for a key that has none yet.
    mutating func insert(_ answer: Int, for key: some CodingKey) {
        guard count < Self.maximumCount else { return }
        if count * 2 >= capacity { grow() }
        count += 1
        if let small = key.small { return place(Entry(mark: Mark(small), answer: answer)) }
        let name = key.stringValue
        names.append(name)
        place(Entry(mark: Mark(name), answer: answer))
    }

    /// Whether two strings are the same without looking at their text.
    @inline(__always)
    static func isIdentical(_ left: String, _ right: String) -> Bool { Mark(left) == Mark(right) }

    @inline(__always)
    private subscript(mark: Mark) -> Int? {
        let last = capacity &- 1
        var slot = mark.hash & last
        while entries[slot].answer != Entry.empty {
            if entries[slot].mark == mark { return entries[slot].answer }
            slot = (slot &+ 1) & last
        }
        return nil
    }

    private mutating func place(_ entry: Entry) {
        let last = capacity - 1
        var slot = entry.mark.hash & last
        while entries[slot].answer != Entry.empty { slot = (slot + 1) & last }
        entries[slot] = entry
    }

    private mutating func grow() {
        let (old, oldCapacity) = (entries, capacity)
        capacity = oldCapacity * 2
        entries = .allocate(capacity: capacity)
        entries.initialize(repeating: Entry(), count: capacity)
        for slot in 0..<oldCapacity where old[slot].answer != Entry.empty { place(old[slot]) }
        old.deallocate()
    }
}
