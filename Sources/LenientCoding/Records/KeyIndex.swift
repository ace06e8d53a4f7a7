/// From a key's bytes to a number, by a hash that is built so that no two of its keys meet: one look decides.
///
/// Built by hash and displace (Belazzougui, Botelho, Dietzfelbinger 2009): keys fall into buckets, and each bucket gets
/// the displacement that takes all of its keys to free places.
///
/// Sendable because nothing changes once it is made.
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
    }

    /// The number of `key`, or nil.
    @inline(__always)
    func find(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
        let print = Print(key)
        let hash = print.hash
        let place = places + Self.place(of: hash, displacements[Self.bucket(of: hash, size)], size)
        guard place.pointee.print == print else { return nil }
        // Two keys of up to 16 bytes with the same print are the same key.
        return print.length <= 16 || Self.equal(place.pointee.key, key) ? place.pointee.value : nil
    }

    /// Whether two keys of the same length, which is over 16, have the same bytes.
    @inline(__always)
    private static func equal(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        let left = UnsafeRawBufferPointer(left), right = UnsafeRawBufferPointer(right)
        var offset = 0
        while offset < left.count {
            // The last step overlaps the one before it.
            let start = min(offset, left.count &- 8)
            if left.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                != right.loadUnaligned(fromByteOffset: start, as: UInt64.self)
            {
                return false
            }
            offset &+= 8
        }
        return true
    }

    /// The number of `key`, or nil.
    @usableFromInline
    subscript(key: UnsafeBufferPointer<UInt8>) -> Int? { find(key) }

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
