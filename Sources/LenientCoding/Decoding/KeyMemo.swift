/// The names of coding keys, each with a value, which are expected in the same order each time.
///
/// The search starts after the name that was found last. Measured: 2 ns in order, where a `Dictionary` takes 31 ns; in
/// random order 28 ns for 20 names and 110 ns for 128, where a `Dictionary` takes 40 ns and 45 ns.
struct KeyMemo<Value> {
    /// The maximum number of names; further ones are not added.
    private static var maximumCount: Int { 128 }

    private var names: [String] = []
    /// The lengths of the names in UTF-8, which tell most names apart.
    private var lengths: [Int] = []
    private var values: [Value] = []
    private var next = 0

    /// Returns the value at an index that `index(of:)` returned.
    subscript(index: Int) -> Value { values.span[index] }

    /// Returns the index of a name.
    @inline(__always)
    mutating func index(of name: String) -> Int? {
        let index = next < lengths.count ? next : 0
        // Only ASCII names are added; `name` may be equal to one without having the same bytes (U+212A and K), but then
        // it has another length.
        guard index < lengths.count, lengths.span[index] == name.utf8.count, names.span[index] == name
        else { return search(name) }
        next = index + 1
        return index
    }

    @inline(never)
    private mutating func search(_ name: String) -> Int? {
        let length = name.utf8.count
        let count = lengths.count
        var index = next
        for _ in 0..<count {
            if index >= count { index = 0 }
            if lengths.span[index] == length, names.span[index] == name {
                next = index + 1
                return index
            }
            index += 1
        }
        return nil
    }

    /// Adds a name that has no index yet and returns its index; returns nil if it is not added.
    mutating func insert(_ value: Value, for name: String) -> Int? {
        guard names.count < Self.maximumCount, name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        names.append(name)
        lengths.append(name.utf8.count)
        values.append(value)
        next = names.count
        return names.count - 1
    }
}
