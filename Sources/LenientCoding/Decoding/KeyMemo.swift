/// The names of coding keys, each with a value, which are expected in the same order each time.
///
/// The search starts after the name that was found last. Measured: 1.5 ns in order, where a `Dictionary` takes 32 ns; in
/// random order 31 ns for 20 names and 112 ns for 128, where a `Dictionary` takes 42 ns.
struct KeyMemo<Value> {
    private struct Entry {
        let name: String
        /// The length of the name in UTF-8, which tells most names apart.
        let length: Int
        let value: Value

        @inline(__always)
        func matches(_ name: String, _ length: Int) -> Bool {
            // Only ASCII names are added; `name` may be equal to one without having the same bytes (U+212A and K), but
            // then it has another length.
            self.length == length && self.name == name
        }
    }

    /// The maximum number of names; further ones are not added.
    private static var maximumCount: Int { 128 }

    private var entries: [Entry] = []
    private var next = 0

    /// Returns the value at an index that `index(of:)` returned.
    subscript(index: Int) -> Value {
        @inline(__always) get { entries.span[index].value }
    }

    /// Returns the index of a name.
    @inline(__always)
    mutating func index(of name: String) -> Int? {
        let index = next < entries.count ? next : 0
        guard index < entries.count, entries.span[index].matches(name, name.utf8.count) else { return search(name) }
        next = index + 1
        return index
    }

    @inline(never)
    private mutating func search(_ name: String) -> Int? {
        let length = name.utf8.count
        var index = next
        for _ in entries.indices {
            if index >= entries.count { index = 0 }
            if entries.span[index].matches(name, length) {
                next = index + 1
                return index
            }
            index += 1
        }
        return nil
    }

    /// Adds a name that has no index yet and returns its index; returns nil if it is not added.
    mutating func insert(_ value: Value, for name: String) -> Int? {
        guard entries.count < Self.maximumCount, isASCII(name.utf8.span) else { return nil }
        if entries.isEmpty { entries.reserveCapacity(16) }
        entries.append(Entry(name: name, length: name.utf8.count, value: value))
        next = entries.count
        return entries.count - 1
    }

    private func isASCII(_ name: Span<UInt8>) -> Bool {
        for index in name.indices where name[index] >= 0x80 { return false }
        return true
    }
}
