/// A set of keys in 64 bits, which may hold more than was put in but never less.
@usableFromInline
enum KeyBloom {
    /// The set that may hold any key.
    static let full = UInt64.max

    /// The bit of a key, told by its length, its first and its last byte.
    @inlinable @inline(__always)
    static func bit(_ key: UnsafePointer<UInt8>, length: Int) -> UInt64 {
        guard length > 0 else { return 1 }
        let ends = UInt64(key[0]) &+ UInt64(key[length &- 1]) &* 8
        return 1 &<< (ends &+ UInt64(truncatingIfNeeded: length) &* 4)
    }
}
