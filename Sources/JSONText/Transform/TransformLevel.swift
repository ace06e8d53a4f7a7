/// A container that is being written.
struct TransformLevel {
    /// How its members get their names.
    enum Mode {
        /// An array: not at all.
        case elements
        /// From the cache, by slots that were found when the object was opened.
        case slots
        /// One by one.
        case names
        /// As the innermost plan says; `index` and `end` then count its entries.
        case plan
    }

    var mode = Mode.elements
    /// The tape index of the next member or element, and the one behind the last.
    var index: Int
    var end: Int
    /// Where in the stack of slots the next member's is, and where the object's begin.
    var slot = 0
    var firstSlot = 0
    /// The cache's epoch in which the slots were found.
    var epoch = 0
    /// Where in the tree of exempt paths the container is.
    var place: Int?
    /// Whether an object's keys stay.
    var keepsKeys = true
    /// The tape index of the key under which the container stands; nil for an element and the root.
    var key: Int?

    /// The byte that closes it.
    @inline(__always)
    var bracket: UInt8 { mode == .elements ? UInt8(ascii: "]") : UInt8(ascii: "}") }
}

/// The slots of the members of all open objects, outermost first.
struct SlotStack: ~Copyable {
    private(set) var slots: UnsafeMutablePointer<UInt16> = .allocate(capacity: 256)
    private var capacity = 256
    private(set) var count = 0

    deinit { slots.deallocate() }

    @inline(__always)
    mutating func append(_ slot: Int) {
        if count == capacity { grow() }
        slots[count] = UInt16(truncatingIfNeeded: slot)
        count &+= 1
    }

    mutating func shrink(to newCount: Int) { count = newCount }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity * 2)
        larger.update(from: slots, count: count)
        slots.deallocate()
        slots = larger
        capacity *= 2
    }
}
