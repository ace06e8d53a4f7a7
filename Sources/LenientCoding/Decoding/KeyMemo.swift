/// A cache of values by coding key, which expects keys in the same order each time.
///
/// The search starts after the key that was found last. Measured: 2 ns in order, where a `Dictionary` takes 25 ns; in
/// random order 29 ns for 20 keys and 420 ns for 128, where a `Dictionary` takes 24 ns and 41 ns.
struct KeyMemo<Value> {
    /// The maximum number of entries; further keys are not cached.
    private static var maximumCount: Int { 128 }

    private var entries: [(name: String, value: Value)] = []
    private var next = 0

    /// Returns the cached value for the key called `name`.
    mutating func value(of name: String) -> Value? {
        let count = entries.count
        var index = next
        for _ in 0..<count {
            if index == count { index = 0 }
            // Only ASCII names are cached, but `name` may be equal to one without having the same bytes (U+212A and K).
            if entries.span[index].name == name, entries.span[index].name.utf8.count == name.utf8.count {
                next = index + 1
                return entries.span[index].value
            }
            index += 1
        }
        return nil
    }

    /// Caches the value for a key that has none yet.
    mutating func insert(_ value: Value, for name: String) {
        guard entries.count < Self.maximumCount, name.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        entries.append((name, value))
        next = entries.count
    }
}
