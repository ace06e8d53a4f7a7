import CScan
import Synchronization

/// From a key's bytes to a number, by a hash that is built so that no two of its keys meet: one look decides.
///
/// Built by hash and displace (Belazzougui, Botelho, Dietzfelbinger 2009): keys fall into buckets, and each bucket gets
/// the displacement that takes all of its keys to free places.
///
/// Objects of one kind mostly have their keys in one order: the index remembers which key came after which, and looks
/// there first.
///
/// Sendable because what changes once it is made is atomic, and only a guess.
@usableFromInline
final class KeyIndex: @unchecked Sendable {
    /// A key in three words: all of one of up to 16 bytes, and a hash of a longer one.
    private struct Print {
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

    private struct Place {
        /// How the key begins, zeros behind a shorter one: what is compared lies where it is looked for.
        var head = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        /// -1 where there is no key.
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

    /// As many bytes are compared at once.
    static let headLength = MemoryLayout.size(ofValue: Place().head)

    private let places: UnsafeMutablePointer<Place>
    private let displacements: UnsafeMutablePointer<UInt32>
    /// The places of the two keys that last came after that of each place, the later one in the lower half; what is past
    /// the last is for the first key.
    private let successors: UnsafeMutablePointer<Atomic<UInt64>>
    /// The number of places, a power of two; there are half as many buckets.
    private let size: Int

    /// The index of `keys`.
    ///
    /// A key that comes twice keeps its first number.
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
        places = .allocate(capacity: size)
        places.initialize(repeating: Place(), count: size)
        self.displacements = .allocate(capacity: displacements.count)
        self.displacements.initialize(from: displacements, count: displacements.count)
        successors = .allocate(capacity: size + 1)
        for index in 0...size { (successors + index).initialize(to: Atomic(0)) }
        for (key, number) in numbers {
            let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: key.count)
            _ = copy.initialize(from: key)
            let bytes = UnsafeBufferPointer(copy)
            let print = Print(bytes)
            let displacement = displacements[Self.bucket(of: print.hash, size)]
            places[Self.place(of: print.hash, displacement, size)] = Place(bytes, value: number)
        }
    }

    deinit {
        for index in 0..<size { places[index].key.deallocate() }
        places.deallocate()
        displacements.deallocate()
        successors.deinitialize(count: size + 1)
        successors.deallocate()
    }

    /// Where a run through an object's keys has come to.
    struct Cursor {
        fileprivate var place: Int
    }

    var start: Cursor { Cursor(place: size) }

    /// The number of `key`, or nil; `cursor` is where the key before it was found.
    ///
    /// Of the memory from its start on, `headLength` bytes can be read, however short it is.
    @inline(__always)
    func find(_ key: UnsafeBufferPointer<UInt8>, after cursor: inout Cursor) -> Int? {
        let guesses = successors[cursor.place].load(ordering: .relaxed)
        let guess = Int(UInt32(truncatingIfNeeded: guesses))
        if holds(key, at: guess) {
            cursor.place = guess
            return places[guess].value
        }
        return search(key, after: &cursor, guesses)
    }

    @inline(never)
    private func search(
        _ key: UnsafeBufferPointer<UInt8>, after cursor: inout Cursor, _ guesses: UInt64
    ) -> Int? {
        let guess = Int(guesses &>> 32)
        if holds(key, at: guess) {
            cursor.place = guess
            return places[guess].value
        }
        guard let found = place(of: key) else { return nil }
        successors[cursor.place].store(guesses &<< 32 | UInt64(found), ordering: .relaxed)
        cursor.place = found
        return places[found].value
    }

    private func place(of key: UnsafeBufferPointer<UInt8>) -> Int? {
        let hash = Print(key).hash
        let place = Self.place(of: hash, displacements[Self.bucket(of: hash, size)], size)
        return Self.equal(places[place].key, key) ? place : nil
    }

    /// Whether `key`, from whose start on `headLength` bytes can be read, is the one at `place`.
    @inline(__always)
    private func holds(_ key: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
        let place = places + place
        guard place.pointee.length == key.count, let first = key.baseAddress,
            weir_equal_starts(first, UnsafeRawPointer(place).assumingMemoryBound(to: UInt8.self), key.count)
        else { return false }
        return key.count <= Self.headLength || Self.equal(place.pointee.key, key)
    }

    private static func equal(_ key: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard key.count == other.count, let first = key.baseAddress, let start = other.baseAddress else { return false }
        return weir_equal(first, start, key.count)
    }

    /// The number of `key`, or nil.
    @usableFromInline
    subscript(key: UnsafeBufferPointer<UInt8>) -> Int? { place(of: key).map { places[$0].value } }

    @inline(__always)
    private static func bucket(of hash: UInt64, _ size: Int) -> Int {
        Int(truncatingIfNeeded: hash &>> 40) & (size / 2 - 1)
    }

    @inline(__always)
    private static func place(of hash: UInt64, _ displacement: UInt32, _ size: Int) -> Int {
        let mixed = (hash ^ UInt64(displacement) &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 32) & (size - 1)
    }

    /// The displacement of each bucket, or nil where some bucket finds no room.
    private static func displacements(of keys: [[UInt8]], size: Int) -> [UInt32]? {
        let hashes = keys.map { $0.withUnsafeBufferPointer { Print($0).hash } }
        var displacements = [UInt32](repeating: 0, count: size / 2)
        var taken = Set<Int>()
        // The fullest buckets first, while there is room.
        let buckets = Dictionary(grouping: hashes) { bucket(of: $0, size) }
        for (bucket, hashes) in buckets.sorted(by: { ($0.value.count, $0.key) > ($1.value.count, $1.key) }) {
            let free = (0..<UInt32(1024)).first { displacement in
                let places = Set(hashes.map { place(of: $0, displacement, size) })
                return places.count == hashes.count && places.isDisjoint(with: taken)
            }
            guard let free else { return nil }
            displacements[bucket] = free
            taken.formUnion(hashes.map { place(of: $0, free, size) })
        }
        return displacements
    }
}
