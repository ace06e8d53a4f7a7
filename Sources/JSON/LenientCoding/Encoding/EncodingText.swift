import JSONText

/// JSON text that is appended to, and the edits to apply to it at the end.
///
/// It is one value so that a branch accesses it once for each member, because Swift checks every access to a property
/// of a class.
struct EncodingText: ~Copyable {
    enum Kind { case nothing, scalar, object, array }

    /// A value that is being written.
    private struct Level {
        var kind = Kind.nothing
        /// The number of elements or members.
        var count = 0
        /// The numbers of the keys written so far: a bit set for numbers below 128.
        private var lowKeys: UInt128 = 0
        private var highKeys: Set<Int>?

        /// Inserts a key; returns false for a duplicate.
        @inline(__always)
        mutating func insertKey(_ number: Int) -> Bool {
            guard number < 128 else { return insertHighKey(number) }
            let bit = UInt128(1) &<< UInt128(truncatingIfNeeded: number)
            let isNew = lowKeys & bit == 0
            lowKeys |= bit
            return isNew
        }

        @inline(never)
        private mutating func insertHighKey(_ number: Int) -> Bool {
            // Optional: levels are copied often, and the reference to an empty set is counted.
            var keys = highKeys.take() ?? []
            defer { highKeys = keys }
            return keys.insert(number).inserted
        }
    }

    private struct Edit {
        let start: Int
        /// The text from `start` to `end` is removed.
        let end: Int
        /// The branch whose text is inserted.
        var branch: EncodingBranch?
    }

    private var writer: JSONWriter
    /// The value that is being written.
    private var level = Level()
    /// The values that contain it, from the outermost.
    private var outer: [Level] = []
    private var edits: [Edit] = []
    /// Whether an object may have a duplicate key.
    private(set) var hasDuplicates = false

    init(capacity: Int) { writer = JSONWriter(capacity: capacity) }

    /// The end of the text and of the edits so far.
    var end: (text: Int, edits: Int) { (writer.count, edits.count) }

    /// Whether anything was encoded.
    var isBegun: Bool { !outer.isEmpty || level.kind != .nothing }

    /// The number of elements of the array at `depth`.
    func count(at depth: Int) -> Int {
        depth < outer.count ? outer[depth].count : depth == outer.count ? level.count : 0
    }

    /// Begins the value at `depth` as a container; returns false if it has another kind or is closed.
    mutating func begin(_ kind: Kind, at depth: Int) -> Bool {
        guard depth == outer.count else { return false }
        if level.kind == kind { return true }
        guard level.kind == .nothing else { return false }
        level.kind = kind
        writer.write(byte: kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        return true
    }

    /// Begins the value at `depth` as a scalar; returns false if it has a kind or is closed.
    mutating func beginScalar(at depth: Int) -> Bool {
        guard depth == outer.count, level.kind == .nothing else { return false }
        level.kind = .scalar
        return true
    }

    /// Begins an element of the array at `depth`; returns false if it is not open.
    mutating func beginElement(at depth: Int) -> Bool {
        guard depth == outer.count, level.kind == .array else { return false }
        writeComma()
        return true
    }

    /// Begins a member of the object at `depth` with a comma and its key; returns false if it is not open.
    @inline(__always)
    mutating func beginMember(at depth: Int, _ number: Int, _ key: Span<UInt8>) -> Bool {
        guard depth == outer.count, level.kind == .object else { return false }
        writer.write(raw: level.count > 0 ? key : key.extracting(droppingFirst: 1))
        level.count += 1
        if !level.insertKey(number) { hasDuplicates = true }
        return true
    }

    /// Begins a member with the name of its key and appends the key's text to `texts`; see above.
    mutating func beginMember(at depth: Int, _ number: Int, named name: String, copyingTo texts: inout [UInt8]) -> Bool
    {
        let start = writer.count + (level.count > 0 ? 1 : 0)
        guard beginMember(at: depth, number, named: name) else { return false }
        texts.append(UInt8(ascii: ","))
        writer.withBytes { texts += $0[start...] }
        return true
    }

    /// Begins a member with the name of its key; the key of a dictionary has no number.
    mutating func beginMember(at depth: Int, _ number: Int?, named name: String) -> Bool {
        guard depth == outer.count, level.kind == .object else { return false }
        writeComma()
        if let number, !level.insertKey(number) { hasDuplicates = true }
        writer.write(name)
        writer.write(byte: UInt8(ascii: ":"))
        return true
    }

    private mutating func writeComma() {
        if level.count > 0 { writer.write(byte: UInt8(ascii: ",")) }
        level.count += 1
    }

    /// Writes the value that was begun.
    @inline(__always)
    mutating func write(_ body: (inout JSONWriter) -> Void) { body(&writer) }

    /// Enters the member or element that was begun.
    mutating func enter() {
        outer.append(level)
        level = Level()
    }

    /// Closes the value that is being written.
    mutating func leave() {
        switch level.kind {
        case .object: writer.write(byte: UInt8(ascii: "}"))
        case .array: writer.write(byte: UInt8(ascii: "]"))
        case .nothing: writer.write(raw: "{}")
        case .scalar: break
        }
        level = outer.popLast() ?? Level()
    }

    /// Leaves the value that is being written and removes its member or element, before which the end was `start`.
    mutating func abandon(from start: (text: Int, edits: Int)) {
        level = outer.popLast() ?? Level()
        level.count -= 1
        edits.removeSubrange(start.edits...)
        edits.append(Edit(start: start.text, end: writer.count))
    }

    /// Inserts the text of a branch here at the end.
    mutating func insert(_ branch: EncodingBranch) {
        edits.append(Edit(start: writer.count, end: writer.count, branch: branch))
    }

    /// Closes the outermost value and returns the text with all edits.
    mutating func finish() -> [UInt8] {
        leave()
        let text = writer.bytes
        if edits.isEmpty { return text }
        var edited: [UInt8] = []
        edited.reserveCapacity(text.count * 2)
        var written = 0
        for edit in edits {
            edited += text[written..<edit.start]
            if let branch = edit.branch { edited += branch.finished() }
            written = edit.end
        }
        return edited + text[written...]
    }
}
