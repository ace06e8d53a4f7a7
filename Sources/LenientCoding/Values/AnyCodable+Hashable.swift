extension AnyCodable: Hashable {
    /// Whether the values are equal and of one type throughout.
    public static func == (left: AnyCodable, right: AnyCodable) -> Bool {
        areEqualTrees(left, right) { left, right in
            switch (left.storage, right.storage) {
            case (.array(let left), .array(let right)):
                return left.count == right.count ? Array(zip(left, right)) : nil
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return nil }
                let pairs = left.compactMap { key, value in right[key].map { (value, $0) } }
                return pairs.count == left.count ? pairs : nil
            case (let left, let right): return left == right ? [] : nil
            }
        }
    }

    /// Hashes the values that this one holds.
    public func hash(into hasher: inout Hasher) {
        visitTree(self) { value in
            switch value.storage {
            case .array(let elements):
                hasher.combine(elements.count)
                return elements
            case .object(let members):
                let sorted = members.sorted { $0.key < $1.key }
                for member in sorted { hasher.combine(member.key) }
                return sorted.map(\.value)
            case let leaf:
                hasher.combine(leaf)
                return []
            }
        }
    }
}
