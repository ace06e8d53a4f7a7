import JSONText

/// Text that is written from its start to its end: the document, or a container that was handed out.
///
/// A container that a container hands out may be written to later than what follows it. It is a branch of its own,
/// which is put in where it belongs at the end.
final class EncodingBranch {
    /// A change to the text once all is written.
    private struct Edit {
        let start: Int
        /// The text up to here is left out.
        var end: Int
        var branch: EncodingBranch?
        /// The key of the branch's container in the object that begins at `owner`.
        var key = 0
        var owner = 0
    }

    let session: EncodingSession
    // Held by address: checks of exclusive access would cost more than what they check.
    let writer: UnsafeMutablePointer<JSONWriter>
    private let path: UnsafeMutablePointer<CodingPath>
    private let base: [any CodingKey]
    private var levels: UnsafeMutablePointer<EncodingLevel>
    private var capacity = 16
    /// The depth of the value that is being written.
    private var depth = 0
    private var edits: [Edit] = []

    init(_ session: EncodingSession, path base: [any CodingKey]) {
        self.session = session
        self.base = base
        writer = .allocate(capacity: 1)
        writer.initialize(to: JSONWriter())
        path = .allocate(capacity: 1)
        path.initialize(to: CodingPath())
        levels = .allocate(capacity: capacity)
        levels.initialize(repeating: EncodingLevel(), count: capacity)
    }

    deinit {
        writer.deinitialize(count: 1)
        writer.deallocate()
        path.deinitialize(count: 1)
        path.deallocate()
        levels.deinitialize(count: capacity)
        levels.deallocate()
    }

    /// The keys that lead to the value at `depth`.
    func codingPath(_ depth: Int) -> [any CodingKey] { base + path.pointee.keys(to: Place(depth: depth)) }

    /// Whether the branch's value has been begun.
    var isWritten: Bool { levels[0].kind != .nothing }

    /// The text with its branches in their places.
    var bytes: [UInt8] {
        let own = writer.pointee.bytes
        if edits.isEmpty { return own }
        var whole: [UInt8] = []
        whole.reserveCapacity(own.count * 2)
        var written = 0
        for edit in edits {
            whole += own[written..<edit.start]
            if let branch = edit.branch {
                branch.close()
                whole += branch.bytes
            }
            written = edit.end
        }
        return whole + own[written...]
    }

    /// Writes the closing bracket of the branch's own value.
    func close() { close(levels[0]) }

    private func close(_ level: EncodingLevel) {
        switch level.kind {
        case .object: writer.pointee.write(byte: UInt8(ascii: "}"))
        case .array: writer.pointee.write(byte: UInt8(ascii: "]"))
        case .nothing: writer.pointee.write(raw: "{}")
        case .scalar: break
        }
    }
}

// Beginning values, members and elements.
extension EncodingBranch {
    /// Begins the container that the value at `depth` is; false if it is something else already.
    @inline(__always)
    func begin(_ kind: EncodingLevel.Kind, at depth: Int) -> Bool {
        guard depth == self.depth else { return false }
        if levels[depth].kind == kind { return true }
        guard levels[depth].kind == .nothing else { return false }
        levels[depth].kind = kind
        writer.pointee.write(byte: kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        return true
    }

    /// Begins the scalar that the value at `depth` is.
    @inline(__always)
    func beginScalar(at depth: Int) throws {
        guard depth == self.depth, levels[depth].kind == .nothing else { throw misuse(at: depth) }
        levels[depth].kind = .scalar
    }

    /// Writes the key of the next member.
    @inline(__always)
    func beginMember(_ key: some CodingKey, isDictionary: Bool, at depth: Int) throws {
        guard depth == self.depth, levels[depth].kind == .object else { throw misuse(at: depth) }
        let isFirst = levels[depth].count == 0
        levels[depth].count &+= 1
        if isDictionary {
            if !isFirst { writer.pointee.write(byte: UInt8(ascii: ",")) }
            writer.pointee.write(key.stringValue)
            writer.pointee.write(byte: UInt8(ascii: ":"))
            return
        }
        let number = session.keys.number(of: key) { codingPath(depth) }
        if !levels[depth].insertKey(number) { session.hasDuplicates = true }
        session.keys.texts[number].withUnsafeBufferPointer { text in
            writer.pointee.write(raw: isFirst ? UnsafeBufferPointer(rebasing: text.dropFirst()) : text)
        }
    }

    /// Writes the comma before the next element.
    @inline(__always)
    func beginElement(at depth: Int) throws {
        guard depth == self.depth, levels[depth].kind == .array else { throw misuse(at: depth) }
        if levels[depth].count > 0 { writer.pointee.write(byte: UInt8(ascii: ",")) }
        levels[depth].count &+= 1
    }

    /// How many elements the array at `depth` has.
    func count(at depth: Int) -> Int { depth == self.depth ? levels[depth].count : 0 }

    /// The container at `depth` is not what may be written to now.
    @inline(never)
    func misuse(at depth: Int) -> any Error {
        EncodingError.invalidValue(
            self,
            EncodingError.Context(
                codingPath: base,
                debugDescription: "A value was encoded as two things, or into a container that is already closed."))
    }

    /// Begins a branch where the text stands.
    func branch(_ path: [any CodingKey]) -> EncodingBranch {
        let branch = EncodingBranch(session, path: path)
        let position = writer.pointee.count
        edits.append(Edit(start: position, end: position, branch: branch))
        return branch
    }
}

// Whole values.
extension EncodingBranch {
    /// Writes the branch's own value.
    func encode<Value: Encodable>(_ value: Value) throws { try write(value, at: 0) }

    /// Writes a member's value behind its key, or leaves the member out when it throws.
    @inline(__always)
    func encodeMember<Value: Encodable>(
        _ value: Value, _ key: some CodingKey, isDictionary: Bool, at depth: Int
    ) throws {
        let start = writer.pointee.count
        try beginMember(key, isDictionary: isDictionary, at: depth)
        _ = path.pointee.step(from: Place(depth: depth), into: key)
        try encodeInside(value, at: depth, from: start)
    }

    /// Writes an element, or leaves it out when it throws.
    @inline(__always)
    func encodeElement<Value: Encodable>(_ value: Value, at depth: Int) throws {
        let start = writer.pointee.count
        try beginElement(at: depth)
        _ = path.pointee.step(from: Place(depth: depth), intoElement: levels[depth].count &- 1)
        try encodeInside(value, at: depth, from: start)
    }

    @inline(__always)
    private func encodeInside<Value: Encodable>(_ value: Value, at depth: Int, from start: Int) throws {
        if depth &+ 1 == capacity { growLevels() }
        levels[depth &+ 1] = EncodingLevel()
        self.depth = depth &+ 1
        do {
            try write(value, at: depth &+ 1)
            self.depth = depth
        } catch {
            self.depth = depth
            leaveOut(from: start, at: depth)
            throw error
        }
        close(levels[depth &+ 1])
    }

    /// Takes back a member or an element that threw: whoever catches the error goes on without it.
    private func leaveOut(from start: Int, at depth: Int) {
        levels[depth].count -= 1
        while let last = edits.last, last.start >= start { edits.removeLast() }
        edits.append(Edit(start: start, end: writer.pointee.count))
    }

    private func growLevels() {
        let larger = UnsafeMutablePointer<EncodingLevel>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: levels, count: capacity)
        (larger + capacity).initialize(repeating: EncodingLevel(), count: capacity)
        levels.deallocate()
        levels = larger
        capacity *= 2
    }
}
