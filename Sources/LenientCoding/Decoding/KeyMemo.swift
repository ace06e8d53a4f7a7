/// Remembers what was found out about coding keys.
///
/// A type asks for its keys, or writes them, in the same order each time, so that the search starts behind the key that
/// was found last. Hashing the keys instead takes [measure].
struct KeyMemo<Value> {
    /// Past so many keys, others are not remembered.
    private static var maximumCount: Int { 128 }

    private var entries: [(name: String, value: Value)] = []
    private var next = 0

    /// Returns the value for the key called `name`; nil if there is none yet.
    mutating func value(of name: String) -> Value? {
        var index = next
        for _ in 0..<entries.count {
            if index == entries.count { index = 0 }
            // Only ASCII names are remembered: others can be equal without having the same bytes.
            if entries[index].name == name, entries[index].name.utf8.count == name.utf8.count {
                next = index + 1
                return entries[index].value
            }
            index += 1
        }
        return nil
    }

    /// Remembers the value for a key that has none yet.
    mutating func insert(_ value: Value, for name: String) {
        guard entries.count < Self.maximumCount, name.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        entries.append((name, value))
        next = entries.count
    }
}
