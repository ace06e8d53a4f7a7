extension JSONValue: Hashable {
    /// Whether the values are equal: numbers by their text, objects with their members in the same order.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        areEqualTrees(left, right) { left, right in
            switch (left, right) {
            case (.array(let left), .array(let right)):
                return left.count == right.count ? Array(zip(left, right)) : nil
            case (.object(let left), .object(let right)):
                guard left.map(\.key) == right.map(\.key) else { return nil }
                return Array(zip(left.map(\.value), right.map(\.value)))
            case (.null, .null): return []
            case (.bool(let left), .bool(let right)): return left == right ? [] : nil
            case (.number(let left), .number(let right)), (.string(let left), .string(let right)):
                return left == right ? [] : nil
            default: return nil
            }
        }
    }

    /// Hashes the values that this one holds.
    public func hash(into hasher: inout Hasher) {
        visitTree(self) { value in
            switch value {
            case .null: hasher.combine(0)
            case .bool(let value): hasher.combine(value)
            case .number(let text), .string(let text): hasher.combine(text)
            case .array(let elements):
                hasher.combine(elements.count)
                return elements
            case .object(let members):
                for member in members { hasher.combine(member.key) }
                return members.map(\.value)
            }
            return []
        }
    }
}
