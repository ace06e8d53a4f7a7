import CScan

/// Finds names by their bytes.
///
/// The standard library treats a composed and a decomposed é as equal; JSON does not.
package struct NameIndex {
    /// The names in the order of the document.
    package let names: [String]
    /// Whether a name appears more than once.
    package let hasDuplicates: Bool

    private let hashes: [UInt64]
    /// The last ordinal of each name, if there are too many names to search linearly.
    private let lastOrdinals: [Name: Int]?

    /// The number of names up to which the search is linear.
    private static let searchedCount = 64

    package init(_ names: [String]) {
        self.names = names
        if names.count > Self.searchedCount {
            var last: [Name: Int] = [:]
            last.reserveCapacity(names.count)
            for (ordinal, name) in names.enumerated() { last[Name(text: name)] = ordinal }
            lastOrdinals = last
            hashes = []
            hasDuplicates = last.count < names.count
        } else {
            let hashes = names.map(Self.hash)
            self.hashes = hashes
            lastOrdinals = nil
            hasDuplicates = hashes.indices.contains { ordinal in
                hashes[..<ordinal].indices.contains {
                    hashes[$0] == hashes[ordinal] && Self.areEqual(names[$0], names[ordinal])
                }
            }
        }
    }

    /// Returns the last ordinal of `name`.
    package func lastOrdinal(of name: String) -> Int? {
        if let lastOrdinals { return lastOrdinals[Name(text: name)] }
        let hash = Self.hash(name)
        var ordinal = hashes.count - 1
        while ordinal >= 0 {
            if hashes[ordinal] == hash, Self.areEqual(names[ordinal], name) { return ordinal }
            ordinal -= 1
        }
        return nil
    }

    /// Returns whether two strings have the same bytes.
    package static func areEqual(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                guard left.count == right.count, let start = left.baseAddress, let other = right.baseAddress
                else { return left.count == right.count }
                return weir_equal(start, other, left.count)
            }
        }
    }

    /// A hash of the name's length and its first and last eight bytes.
    private static func hash(_ name: String) -> UInt64 {
        var name = name
        return name.withUTF8 { bytes in
            var ends: (UInt64, UInt64) = (0, 0)
            if bytes.count >= 8 {
                let bytes = UnsafeRawBufferPointer(bytes)
                ends.0 = bytes.loadUnaligned(as: UInt64.self)
                ends.1 = bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
            } else {
                for byte in bytes { ends.0 = ends.0 << 8 | UInt64(byte) }
            }
            return (ends.0 ^ (ends.1 &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93 &+ UInt64(bytes.count)
        }
    }
}

/// A string that is compared by its bytes.
package struct Name: Hashable {
    package let text: String

    package init(text: String) { self.text = text }

    package static func == (left: Name, right: Name) -> Bool { NameIndex.areEqual(left.text, right.text) }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
