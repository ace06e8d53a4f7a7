// Unsafe: owns its slots, and copies of the keys, as raw memory that is written once, in `init`, and freed in `deinit`. A
// comparison reads `headLength` bytes of the document, which `JSONNode.isReadable` grants.
import CScan
import Synchronization

/// A perfect hash from the bytes of keys to numbers.
///
/// It is built by hash and displace (Belazzougui, Botelho, Dietzfelbinger 2009): keys fall into buckets, and each bucket
/// gets a displacement that takes all of its keys to free slots.
///
/// Objects of one kind mostly have their keys in one order. The index remembers which key followed which, and tries that
/// one before it hashes.
///
/// Unchecked Sendable: only the remembered successors change after `init`. They are atomic, and a wrong one costs time only.
@usableFromInline
final class KeyIndex: @unchecked Sendable {
    /// A key in three words: exact for keys of up to 16 bytes, a hash for longer ones.
    private struct Fingerprint {
        var first: UInt64 = 0
        var last: UInt64 = 0
        let length: Int

        @inline(__always)
        init(_ key: UnsafeBufferPointer<UInt8>) {
            length = key.count
            let bytes = UnsafeRawBufferPointer(key)
            guard length < 8 else {
                first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
                last = bytes.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self)
                if length > 16 { mixMiddle(bytes) }
                return
            }
            for byte in bytes { first = first &<< 8 | UInt64(byte) }
        }

        private mutating func mixMiddle(_ bytes: UnsafeRawBufferPointer) {
            for offset in stride(from: 8, to: length - 8, by: 8) {
                let middle = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                first = (first ^ first >> 29) &* 0x9E37_79B9_7F4A_7C15 &+ middle
            }
        }

        @inline(__always)
        var hash: UInt64 {
            var hash = (first ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
            hash = (hash ^ hash &>> 32 ^ last) &* 0xD6E8_FEB8_6659_FD93
            return hash ^ hash &>> 32
        }
    }

    private struct Slot {
        /// The first bytes of the key, padded with zeros, so that a comparison reads the slot alone.
        var head = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        /// The length of the key in bytes, or -1 for an empty slot.
        var length = -1
        var value = 0
        var key = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

        init() {}

        init(_ key: UnsafeBufferPointer<UInt8>, value: Int) {
            self.key = key
            self.value = value
            length = key.count
            withUnsafeMutableBytes(of: &head) { $0.copyBytes(from: key.prefix($0.count)) }
        }
    }

    /// The number of bytes that a comparison reads at once.
    static let headLength = MemoryLayout.size(ofValue: Slot().head)

    private let slots: UnsafeMutablePointer<Slot>
    private let displacements: UnsafeMutablePointer<UInt32>
    /// The slots of the last two keys that followed the key of each slot, the later one in the lower half.
    ///
    /// The element past the last slot is for the first key of an object.
    private let successors: UnsafeMutablePointer<Atomic<UInt64>>
    /// The number of slots, a power of two; there are half as many buckets.
    private let size: Int

    /// An index of `keys`.
    ///
    /// A key that appears twice keeps its first number.
    @usableFromInline
    convenience init(_ keys: [(key: String, value: Int)]) {
        let distinct = Dictionary(keys.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
        var size = 4
        while size < distinct.count * 2 { size *= 2 }
        while true {
            if let displacements = Self.displacements(of: Array(distinct.keys), size: size) {
                self.init(distinct, displacements, size: size)
                return
            }
            size *= 2
        }
    }

    private init(_ numbers: [[UInt8]: Int], _ displacements: [UInt32], size: Int) {
        self.size = size
        slots = .allocate(capacity: size)
        slots.initialize(repeating: Slot(), count: size)
        self.displacements = .allocate(capacity: displacements.count)
        self.displacements.initialize(from: displacements, count: displacements.count)
        successors = .allocate(capacity: size + 1)
        for index in 0...size { (successors + index).initialize(to: Atomic(0)) }
        for (key, number) in numbers {
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: key.count)
            _ = copy.initialize(from: key)
            let bytes = UnsafeBufferPointer(copy)
            let fingerprint = Fingerprint(bytes)
            let displacement = displacements[Self.bucket(of: fingerprint.hash, size)]
            slots[Self.slot(of: fingerprint.hash, displacement, size)] = Slot(bytes, value: number)
        }
    }

    deinit {
        for index in 0..<size { slots[index].key.deallocate() }
        slots.deallocate()
        displacements.deallocate()
        successors.deinitialize(count: size + 1)
        successors.deallocate()
    }

    /// The position of the previous key of an object.
    struct Cursor {
        fileprivate var slot: Int
    }

    /// The cursor before the first key of an object.
    var start: Cursor { Cursor(slot: size) }

    /// Returns the number of `key`, or nil.
    ///
    /// `cursor` is the position of the previous key.
    ///
    /// At least `headLength` bytes must be readable from the key's start, even if it is shorter.
    @inline(__always)
    func find(_ key: UnsafeBufferPointer<UInt8>, after cursor: inout Cursor) -> Int? {
        let guesses = successors[cursor.slot].load(ordering: .relaxed)
        let guess = Int(UInt32(truncatingIfNeeded: guesses))
        if holds(key, at: guess) {
            cursor.slot = guess
            return slots[guess].value
        }
        return search(key, after: &cursor, guesses)
    }

    @inline(never)
    private func search(
        _ key: UnsafeBufferPointer<UInt8>, after cursor: inout Cursor, _ guesses: UInt64
    ) -> Int? {
        let guess = Int(guesses &>> 32)
        if holds(key, at: guess) {
            cursor.slot = guess
            return slots[guess].value
        }
        guard let found = slot(of: key) else { return nil }
        successors[cursor.slot].store(guesses &<< 32 | UInt64(found), ordering: .relaxed)
        cursor.slot = found
        return slots[found].value
    }

    private func slot(of key: UnsafeBufferPointer<UInt8>) -> Int? {
        let hash = Fingerprint(key).hash
        let slot = Self.slot(of: hash, displacements[Self.bucket(of: hash, size)], size)
        return Self.equal(slots[slot].key, key) ? slot : nil
    }

    /// Returns whether `key`, from whose start `headLength` bytes must be readable, is the one in the slot.
    @inline(__always)
    private func holds(_ key: UnsafeBufferPointer<UInt8>, at slot: Int) -> Bool {
        let slot = slots + slot
        guard slot.pointee.length == key.count, let first = key.baseAddress,
            weir_equal_starts(first, UnsafeRawPointer(slot).assumingMemoryBound(to: UInt8.self), key.count)
        else { return false }
        return key.count <= Self.headLength || Self.equal(slot.pointee.key, key)
    }

    private static func equal(_ key: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard key.count == other.count, let first = key.baseAddress, let start = other.baseAddress else { return false }
        return weir_equal(first, start, key.count)
    }

    /// Returns the number of `key`, or nil.
    @usableFromInline
    subscript(key: UnsafeBufferPointer<UInt8>) -> Int? { slot(of: key).map { slots[$0].value } }

    @inline(__always)
    private static func bucket(of hash: UInt64, _ size: Int) -> Int {
        Int(truncatingIfNeeded: hash &>> 40) & (size / 2 - 1)
    }

    @inline(__always)
    private static func slot(of hash: UInt64, _ displacement: UInt32, _ size: Int) -> Int {
        let mixed = (hash ^ UInt64(displacement) &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 32) & (size - 1)
    }

    /// Returns the displacement of each bucket, or nil if a bucket finds no free slots.
    private static func displacements(of keys: [[UInt8]], size: Int) -> [UInt32]? {
        let hashes = keys.map { $0.withUnsafeBufferPointer { Fingerprint($0).hash } }
        var displacements = [UInt32](repeating: 0, count: size / 2)
        var taken = Set<Int>()
        // The fullest buckets choose first, while most slots are free.
        let buckets = Dictionary(grouping: hashes) { bucket(of: $0, size) }
        for (bucket, hashes) in buckets.sorted(by: { ($0.value.count, $0.key) > ($1.value.count, $1.key) }) {
            let free = (0..<UInt32(1024)).first { displacement in
                let slots = Set(hashes.map { slot(of: $0, displacement, size) })
                return slots.count == hashes.count && slots.isDisjoint(with: taken)
            }
            guard let free else { return nil }
            displacements[bucket] = free
            taken.formUnion(hashes.map { slot(of: $0, free, size) })
        }
        return displacements
    }
}
