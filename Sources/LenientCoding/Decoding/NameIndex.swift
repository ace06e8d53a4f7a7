/// Finds names by their bytes.
///
/// For the standard library a composed and a decomposed é are one string; JSON has two keys there.
struct NameIndex {
    /// The names in the order of the document.
    let names: [String]
    /// Whether a name stands there more than once.
    let hasDuplicates: Bool

    private let hashes: [UInt64]
    /// The last place of each name, where there are too many to look at each.
    private let lastOrdinals: [Name: Int]?

    /// Up to so many names are searched one after another.
    private static let searchedCount = 64

    init(_ names: [String]) {
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
            hasDuplicates = hashes.indices.contains { hashes[..<$0].contains(hashes[$0]) }
        }
    }

    /// The last place of `name`.
    func lastOrdinal(of name: String) -> Int? {
        if let lastOrdinals { return lastOrdinals[Name(text: name)] }
        let hash = Self.hash(name)
        var ordinal = hashes.count - 1
        while ordinal >= 0 {
            if hashes[ordinal] == hash, Self.areEqual(names[ordinal], name) { return ordinal }
            ordinal -= 1
        }
        return nil
    }

    /// Whether two strings have the same bytes.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in left.count == right.count && left.elementsEqual(right) }
        }
    }

    /// FNV-1a: it tells a few names apart; an adversary's are then told apart by their bytes.
    private static func hash(_ name: String) -> UInt64 {
        var name = name
        return name.withUTF8 { bytes in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return hash
        }
    }

    /// A string that is equal to another when their bytes are.
    private struct Name: Hashable {
        var text: String

        static func == (left: Name, right: Name) -> Bool { areEqual(left.text, right.text) }

        func hash(into hasher: inout Hasher) {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }
}
