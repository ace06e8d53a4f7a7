/// From a key's bytes to a number, by a hash that is built so that no two of its keys meet: one look decides.
///
/// Built by hash and displace (Belazzougui, Botelho, Dietzfelbinger 2009): keys fall into buckets, and each bucket gets
/// the displacement that takes all of its keys to free places.
struct KeyIndex: Sendable {
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
            guard length < 8 else {
                let bytes = UnsafeRawBufferPointer(key)
                first = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
                last = bytes.loadUnaligned(fromByteOffset: length - 8, as: UInt64.self)
                for offset in stride(from: 8, to: length - 8, by: 8) {
                    let middle = bytes.loadUnaligned(fromByteOffset: min(offset, length - 8), as: UInt64.self)
                    first = (first ^ first >> 29) &* 0x9E37_79B9_7F4A_7C15 &+ middle
                }
                return
            }
            for byte in key { first = first << 8 | UInt64(byte) }
        }

        @inline(__always)
        var hash: UInt64 {
            var hash = (first ^ UInt64(truncatingIfNeeded: length)) &* 0x9E37_79B9_7F4A_7C15
            hash = (hash ^ hash >> 32 ^ last) &* 0xD6E8_FEB8_6659_FD93
            return hash ^ hash >> 32
        }
    }

    private var prints: [Print]
    private var values: [Int]
    private var keys: [[UInt8]]
    private var displacements: [UInt32]

    /// The index of `keys`.
    ///
    /// A key that comes twice keeps its first number.
    init(_ keys: [(key: String, value: Int)]) {
        let distinct = Dictionary(keys.map { (Array($0.key.utf8), $0.value) }, uniquingKeysWith: { first, _ in first })
        var size = 4
        while size < distinct.count * 2 { size *= 2 }
        self.init(size: size)
        while !placeAll(distinct) {
            size *= 2
            self.init(size: size)
        }
    }

    private init(size: Int) {
        prints = [Print](repeating: Print(), count: size)
        values = [Int](repeating: 0, count: size)
        keys = [[UInt8]](repeating: [], count: size)
        displacements = [UInt32](repeating: 0, count: size / 2)
    }

    private mutating func placeAll(_ numbers: [[UInt8]: Int]) -> Bool {
        let buckets = Dictionary(grouping: numbers.keys) { bucket(of: Self.print($0).hash) }
        // The fullest buckets first, while there is room.
        return buckets.sorted { ($0.value.count, $0.key) > ($1.value.count, $1.key) }.allSatisfy { bucket, keys in
            place(keys, of: bucket, numbers)
        }
    }

    private mutating func place(_ bucket: [[UInt8]], of number: Int, _ numbers: [[UInt8]: Int]) -> Bool {
        let bucketPrints = bucket.map(Self.print)
        for displacement in 0..<UInt32(1024) {
            let places = bucketPrints.map { place(of: $0.hash, displacement) }
            guard Set(places).count == places.count, places.allSatisfy({ prints[$0].length < 0 }) else { continue }
            for (index, place) in places.enumerated() {
                prints[place] = bucketPrints[index]
                keys[place] = bucket[index]
                values[place] = numbers[bucket[index]] ?? 0
            }
            displacements[number] = displacement
            return true
        }
        return false
    }

    private static func print(_ key: [UInt8]) -> Print { key.withUnsafeBufferPointer(Print.init) }

    @inline(__always)
    private func bucket(of hash: UInt64) -> Int {
        Int(truncatingIfNeeded: hash >> 40) & (displacements.count - 1)
    }

    @inline(__always)
    private func place(of hash: UInt64, _ displacement: UInt32) -> Int {
        let mixed = (hash ^ UInt64(displacement) &* 0xC2B2_AE3D_27D4_EB4F) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32) & (prints.count - 1)
    }

    /// The number of `key`, or nil.
    subscript(key: UnsafeBufferPointer<UInt8>) -> Int? {
        @inline(__always) get {
            let print = Print(key)
            let hash = print.hash
            let place = place(of: hash, displacements[bucket(of: hash)])
            guard prints[place] == print else { return nil }
            return print.length <= 16 || keys[place].elementsEqual(key) ? values[place] : nil
        }
    }
}
