/// A coding key of at most one byte, as those are that the compiler makes: its type and that byte are all it is.
///
/// Such a key is told from others without asking for its string, and kept without a box.
struct SmallKey {
    let type: any CodingKey.Type
    let byte: UInt8

    /// Nil when the key is larger.
    // Borrowed: copying the key would cost more than the rest.
    @inline(__always)
    init?<Key: CodingKey>(_ key: borrowing Key) {
        let size = MemoryLayout<Key>.size
        guard size <= 1 else { return nil }
        type = Key.self
        byte = size == 0 ? 0 : withUnsafePointer(to: key) { UnsafeRawPointer($0).load(as: UInt8.self) }
    }

    var key: any CodingKey { type.key(of: byte) }
}

extension CodingKey {
    /// The key of at most one byte that is this byte.
    // There are only trivial types of that size: a copy of the byte is a copy of the key.
    fileprivate static func key(of byte: UInt8) -> any CodingKey {
        withUnsafeBytes(of: byte) { $0.load(as: Self.self) }
    }
}
