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
        private var highKeys: Set<Int> = []

        /// Inserts a key; returns false for a duplicate.
        mutating func insertKey(_ number: Int) -> Bool {
            if number >= 128 { return highKeys.insert(number).inserted }
            let bit = UInt128(1) << UInt128(number)
            defer { lowKeys |= bit }
            return lowKeys & bit == 0
        }
    }

    private struct Edit {
        let start: Int
        /// The text from `start` to `end` is removed.
        let end: Int
        /// The branch whose text is inserted.
        var branch: EncodingBranch?
    }

    /// The role of a value in its container.
    enum Slot {
        /// The value of a single value container.
        case value
        case element
        /// The member of an object.
        case member(KeySpelling)
        /// The member of a dictionary.
        case entry(String)
    }

    private var writer: JSONWriter
    /// The value that is being written.
    private var level = Level()
    /// The values that contain it, from the outermost.
    private var outer: [Level] = []
    private var edits: [Edit] = []
    /// Whether an object has a duplicate key.
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

    /// Begins a scalar at `depth`, or a member or element of the container there; returns false as `begin(_:at:)` does.
    mutating func begin(_ slot: Slot, at depth: Int) -> Bool {
        guard depth == outer.count else { return false }
        switch slot {
        case .value:
            guard level.kind == .nothing else { return false }
            level.kind = .scalar
            return true
        case .element:
            guard level.kind == .array else { return false }
            writeComma()
        case .member(let key):
            guard level.kind == .object else { return false }
            writeComma()
            if !level.insertKey(key.number) { hasDuplicates = true }
            writer.write(raw: key.text)
        case .entry(let name):
            guard level.kind == .object else { return false }
            writeComma()
            writer.write(name)
            writer.write(byte: UInt8(ascii: ":"))
        }
        return true
    }

    private mutating func writeComma() {
        if level.count > 0 { writer.write(byte: UInt8(ascii: ",")) }
        level.count += 1
    }

    /// Begins a scalar and calls `body` to write it.
    @inline(__always)
    mutating func write(_ slot: Slot, at depth: Int, _ body: (inout JSONWriter) -> Void) -> Bool {
        guard begin(slot, at: depth) else { return false }
        body(&writer)
        return true
    }

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
