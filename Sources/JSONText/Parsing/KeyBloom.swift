/// A set of keys in 64 bits, which may hold more than was put in but never less.
@usableFromInline
enum KeyBloom {
    /// The set that may hold any key.
    static let full = UInt64.max

    /// The bit of a key, told by its length, its first and its last byte.
    @inlinable @inline(__always)
    static func bit(_ key: UnsafePointer<UInt8>, length: Int) -> UInt64 {
        guard length > 0 else { return 1 }
        let mixed = UInt(key[0]) &* 3 &+ UInt(key[length &- 1]) &* 11 &+ UInt(bitPattern: length) &* 5
        return 1 << UInt64(truncatingIfNeeded: mixed & 63)
    }
}
