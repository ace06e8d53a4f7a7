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
    private struct Print: Equatable {
        var first: UInt64 = 0
        var last: UInt64 = 0
        /// -1 where there is no key.
        var length = -1

        init() {}

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
        var print = Print()
        var value = 0
        var key = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    }

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
            places[Self.place(of: print.hash, displacement, size)] = Place(print: print, value: number, key: bytes)
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
    @inline(__always)
    func find(_ key: UnsafeBufferPointer<UInt8>, after cursor: inout Cursor) -> Int? {
        let guesses = successors[cursor.place].load(ordering: .relaxed)
        let guess = Int(UInt32(truncatingIfNeeded: guesses))
        if Self.equal(places[guess].key, key) {
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
        if Self.equal(places[guess].key, key) {
            cursor.place = guess
            return places[guess].value
        }
        guard let found = place(of: key) else { return nil }
        successors[cursor.place].store(guesses &<< 32 | UInt64(found), ordering: .relaxed)
        cursor.place = found
        return places[found].value
    }

    private func place(of key: UnsafeBufferPointer<UInt8>) -> Int? {
        let print = Print(key)
        let hash = print.hash
        let place = Self.place(of: hash, displacements[Self.bucket(of: hash, size)], size)
        return places[place].print == print && Self.equal(places[place].key, key) ? place : nil
    }

    /// Whether two keys have the same bytes, compared a word at a time, the last word overlapping the one before it.
    @inline(__always)
    private static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let count = left.count
        guard count == right.count, let left = left.baseAddress, let right = right.baseAddress else { return false }
        @inline(__always) func differs<Word: FixedWidthInteger>(at offset: Int, _ word: Word.Type) -> Bool {
            UnsafeRawPointer(left).loadUnaligned(fromByteOffset: offset, as: word)
                != UnsafeRawPointer(right).loadUnaligned(fromByteOffset: offset, as: word)
        }
        if count >= 8 {
            var offset = 0
            while offset < count &- 8 {
                if differs(at: offset, UInt64.self) { return false }
                offset &+= 8
            }
            return !differs(at: count &- 8, UInt64.self)
        }
        if count >= 4 { return !differs(at: 0, UInt32.self) && !differs(at: count &- 4, UInt32.self) }
        return (0..<count).allSatisfy { left[$0] == right[$0] }
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
