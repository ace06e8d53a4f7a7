import CScan

/// The keys that a transform has met, each with the name it is written under, ready to be copied.
///
/// Bounded: when it is full it forgets everything, and `epoch` says so. A slot is taken by a few bytes of the key
/// and a few probes; keys that an adversary makes meet in one place are refused, and their objects take the slow way.
struct KeyCache: ~Copyable {
    /// A key, with its name's slot and with the object that has had that name last.
    struct Entry {
        /// The first and last 8 bytes: all there is of a key of 8 to 16.
        var first: UInt64 = 0
        /// In an empty slot as no key has it, not even the empty one.
        var last: UInt64 = .max
        var length: UInt32 = 0
        /// Where `"key":` stands in the text.
        var offset: UInt32 = 0
        /// The slot of the key in camelCase.
        var camel: UInt32 = 0
        var stamp: UInt32 = 0
    }

    private static let slotCount = 1024
    private static let greatestCount = 512
    private static let greatestProbe = 16
    private static let textSize = 64 << 10
    static let greatestLength = 256

    let entries: UnsafeMutablePointer<Entry>
    let text: UnsafeMutablePointer<UInt8>
    private var textCount = 0
    private var count = 0
    private var stamp: UInt32 = 0
    /// Grows when slots lose their meaning.
    private(set) var epoch = 0

    init() {
        entries = .allocate(capacity: Self.slotCount)
        entries.initialize(repeating: Entry(), count: Self.slotCount)
        text = .allocate(capacity: Self.textSize + 16)
    }

    /// The end of the text, as far as it may be read.
    var textEnd: UnsafePointer<UInt8> { UnsafePointer(text + Self.textSize + 16) }

    deinit {
        entries.deallocate()
        text.deallocate()
    }

    /// A number that no entry bears: that of a new object.
    mutating func nextStamp() -> UInt32 {
        if stamp == .max { forget() }
        stamp &+= 1
        return stamp
    }

    /// The slot of the unescaped key at `key`; nil when it is too long, empty, or has no place.
    @inline(__always)
    mutating func slot(_ key: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        let (first, last) = Self.ends(key, length)
        var slot = Self.hash(first, last, length)
        for _ in 0..<Self.greatestProbe {
            let entry = entries + slot
            if entry.pointee.first == first, entry.pointee.last == last, entry.pointee.length == length {
                if length <= 16 || weir_equal(text + Int(entry.pointee.offset) + 1, key, length) { return slot }
            }
            if entry.pointee.length == 0 { break }
            slot = (slot &+ 1) & (Self.slotCount - 1)
        }
        return insert(key, length)
    }

    /// The slot of a key that is not there, with its camelCase form beside it.
    @inline(never)
    private mutating func insert(_ key: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        guard 1...Self.greatestLength ~= length else { return nil }
        if count + 2 > Self.greatestCount || textCount + 2 * (length + 3) > Self.textSize { forget() }
        guard let slot = place(key, length) else { return nil }
        // Made where it is going to stay if it is new.
        let camel = text + textCount + 1
        let camelLength = CamelCase.convert(key, length, into: camel)
        guard let camelSlot = camelLength == 0 ? slot : place(camel, camelLength) else {
            // A hole among the probes would hide other keys.
            forget()
            return nil
        }
        entries[slot].camel = UInt32(truncatingIfNeeded: camelSlot)
        return slot
    }

    /// The slot of a key, taken if need be; its own name is in camelCase until something else is said.
    private mutating func place(_ key: UnsafePointer<UInt8>, _ length: Int) -> Int? {
        let (first, last) = Self.ends(key, length)
        var slot = Self.hash(first, last, length)
        for _ in 0..<Self.greatestProbe {
            let entry = entries[slot]
            if entry.length == 0 {
                entries[slot] = Entry(
                    first: first, last: last, length: UInt32(truncatingIfNeeded: length), offset: append(key, length),
                    camel: UInt32(truncatingIfNeeded: slot))
                count += 1
                return slot
            }
            if entry.first == first, entry.last == last, entry.length == length,
                weir_equal(text + Int(entry.offset) + 1, key, length)
            {
                return slot
            }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        return nil
    }

    private mutating func append(_ key: UnsafePointer<UInt8>, _ length: Int) -> UInt32 {
        let start = text + textCount
        start[0] = UInt8(ascii: "\"")
        (start + 1).update(from: key, count: length)
        start[length + 1] = UInt8(ascii: "\"")
        start[length + 2] = UInt8(ascii: ":")
        defer { textCount += length + 3 }
        return UInt32(truncatingIfNeeded: textCount)
    }

    private mutating func forget() {
        entries.update(repeating: Entry(), count: Self.slotCount)
        (count, textCount, stamp) = (0, 0, 0)
        epoch += 1
    }

    @inline(__always)
    private static func ends(_ key: UnsafePointer<UInt8>, _ length: Int) -> (UInt64, UInt64) {
        let bytes = UnsafeRawPointer(key)
        if length >= 8 {
            return (bytes.loadUnaligned(as: UInt64.self), (bytes + (length &- 8)).loadUnaligned(as: UInt64.self))
        }
        if length >= 4 {
            let first = UInt64(bytes.loadUnaligned(as: UInt32.self))
            return (first, UInt64((bytes + (length &- 4)).loadUnaligned(as: UInt32.self)))
        }
        guard length > 0 else { return (0, 0) }
        return (UInt64(key[0]), UInt64(key[length / 2]) << 8 | UInt64(key[length &- 1]))
    }

    @inline(__always)
    private static func hash(_ first: UInt64, _ last: UInt64, _ length: Int) -> Int {
        let mixed = (first ^ (last &<< 23 | last &>> 41) ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 54)
    }
}
