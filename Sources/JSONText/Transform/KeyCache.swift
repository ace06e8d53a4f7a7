import CScan

/// The keys that a transform has met, each with the text `"name":` that is written for it.
///
/// A hash table with a bounded number of keys and probes. It refuses a key that finds no place, for instance because a
/// client has chosen keys that collide; the object of that key then takes the slower `ObjectPlan`.
///
/// Unsafe: reads and writes its entries and text through pointers, because with arrays a transform takes 20 % more
/// instructions. Every slot is below `slotCount`, and every entry's text below `textSize`.
struct KeyCache: ~Copyable {
    private struct Entry {
        /// The first and last 8 bytes of the key, which are all of a key of up to 16 bytes.
        var ends = weir_key_ends()
        /// The length of the key; 0 for an empty entry.
        var length: UInt32 = 0
        /// The offset of the text.
        var offset: UInt32 = 0
        /// The slot of the key in camelCase.
        var camel: UInt32 = 0
        /// The last object that has a member of this name.
        var owner: UInt32 = 0
    }

    private static let slotCount = 1024
    private static let maximumCount = 512
    private static let maximumProbes = 16
    private static let maximumLength = 256
    private static let textSize = 64 << 10

    private let entries: UnsafeMutablePointer<Entry>
    private let text: UnsafeMutablePointer<UInt8>
    private var count = 0
    private var textCount = 0
    private var owner: UInt32 = 0
    /// Grows each time that the cache forgets its keys and slots lose their meaning.
    private(set) var generation = 0

    init() {
        entries = .allocate(capacity: Self.slotCount)
        entries.initialize(repeating: Entry(), count: Self.slotCount)
        text = .allocate(capacity: Self.textSize)
    }

    deinit {
        entries.deallocate()
        text.deallocate()
    }

    /// Begins to claim names for another object.
    mutating func beginObject() {
        if owner == .max { forget() }
        owner += 1
    }

    /// Claims the name of a member for the current object and returns its slot.
    ///
    /// Returns nil if another member has the name, or if the key is empty, has escapes or finds no place in the cache.
    @inline(__always)
    mutating func claim(_ key: JSONNode, keepsKey: Bool) -> Int? {
        guard key.kind == .string, key.length > 0, let slot = slot(of: key.source + key.offset, key.length) else {
            return nil
        }
        let name = keepsKey ? slot : Int(entries[slot].camel)
        if entries[name].owner == owner { return nil }
        entries[name].owner = owner
        return name
    }

    /// Writes the name at `slot` in quotes with its colon.
    @inline(__always)
    func write(_ slot: Int, to writer: inout JSONWriter) {
        let length = Int(entries[slot].length) &+ 3
        writer.write(raw: text + Int(entries[slot].offset), length, before: text + Self.textSize)
    }

    @inline(__always)
    private mutating func slot(of key: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        let ends = weir_ends_of_key(key, length)
        var slot = Self.firstSlot(ends, length)
        for _ in 0..<Self.maximumProbes {
            if holds(key, length, ends, at: slot) { return slot }
            if entries[slot].length == 0 { break }
            slot = (slot &+ 1) % Self.slotCount
        }
        return insert(key, length)
    }

    @inline(__always)
    private func holds(_ key: UnsafePointer<UInt8>, _ length: Int, _ ends: weir_key_ends, at slot: Int) -> Bool {
        let entry = entries + slot
        guard entry.pointee.ends.first == ends.first, entry.pointee.ends.last == ends.last,
            entry.pointee.length == length
        else { return false }
        return length <= 16 || weir_equal(text + Int(entry.pointee.offset) + 1, key, length)
    }

    /// Adds a key and its name in camelCase, or forgets all keys if there is no room.
    @inline(never)
    private mutating func insert(_ key: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        guard length <= Self.maximumLength else { return nil }
        guard count + 2 <= Self.maximumCount, textCount + 2 * (length + 3) <= Self.textSize else {
            forget()
            return nil
        }
        let name = CamelCase.convert(UnsafeBufferPointer(start: key, count: length).span)
        // The name comes first: if there is no place for it, the key must not stay without it.
        guard let camel = place(name, name.count), let slot = place(key, length) else { return nil }
        entries[slot].camel = UInt32(truncatingIfNeeded: camel)
        return slot
    }

    /// Returns the slot of a key, which is taken if it is new, or nil if there is none.
    ///
    /// A new key is its own name in camelCase.
    private mutating func place(_ key: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        let ends = weir_ends_of_key(key, length)
        var slot = Self.firstSlot(ends, length)
        for _ in 0..<Self.maximumProbes {
            if holds(key, length, ends, at: slot) { return slot }
            if entries[slot].length == 0 {
                entries[slot] = Entry(
                    ends: ends, length: UInt32(truncatingIfNeeded: length),
                    offset: UInt32(truncatingIfNeeded: textCount), camel: UInt32(truncatingIfNeeded: slot))
                count += 1
                append(UInt8(ascii: "\""))
                (text + textCount).update(from: key, count: length)
                textCount += length
                append(UInt8(ascii: "\""))
                append(UInt8(ascii: ":"))
                return slot
            }
            slot = (slot + 1) % Self.slotCount
        }
        return nil
    }

    private mutating func forget() {
        entries.update(repeating: Entry(), count: Self.slotCount)
        (count, textCount, owner) = (0, 0, 0)
        generation += 1
    }

    private mutating func append(_ byte: UInt8) {
        text[textCount] = byte
        textCount += 1
    }

    @inline(__always)
    private static func firstSlot(_ ends: weir_key_ends, _ length: Int) -> Int {
        let mixed = ends.first ^ (ends.last &<< 23 | ends.last &>> 41) ^ UInt64(truncatingIfNeeded: length)
        // The highest 10 bits of the product depend on all bits of the key.
        return Int(truncatingIfNeeded: (mixed &* 0x9E37_79B9_7F4A_7C15) &>> 54)
    }
}
