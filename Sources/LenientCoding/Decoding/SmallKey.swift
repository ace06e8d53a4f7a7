/// A coding key of at most one byte, as those are that the compiler makes: its type and that byte are all it is.
///
/// Such a key is told from others without asking for its string, and kept without a box.
struct SmallKey {
    let type: any CodingKey.Type
    let byte: UInt8

    var key: any CodingKey { type.key(of: byte) }
}

extension CodingKey {
    /// The key as a small one; nil when it is larger.
    @inline(__always)
    var small: SmallKey? {
        switch MemoryLayout<Self>.size {
        case 0: SmallKey(type: Self.self, byte: 0)
        case 1: SmallKey(type: Self.self, byte: unsafeBitCast(self, to: UInt8.self))
        default: nil
        }
    }

    /// The key of at most one byte that is this byte.
    // There are only trivial types of that size: a copy of the byte is a copy of the key.
    fileprivate static func key(of byte: UInt8) -> any CodingKey {
        withUnsafeBytes(of: byte) { $0.load(as: Self.self) }
    }
}
