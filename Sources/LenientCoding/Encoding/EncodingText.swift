import JSONText

/// The text of a branch, for those who hold the branch: without counting references to it.
struct EncodingText {
    let state: UnsafeMutablePointer<EncodingState>

    var branch: EncodingBranch { state.pointee.owner.takeUnretainedValue() }

    /// The keys that lead to the value at `depth`.
    func codingPath(_ depth: Int) -> [any CodingKey] {
        branch.base + state.pointee.path.keys(to: Place(depth: depth))
    }

    /// Whether the branch's value has been begun.
    var isWritten: Bool { state.pointee.levels[0].kind != .nothing }

    /// How many elements the array at `depth` has.
    func count(at depth: Int) -> Int { depth <= state.pointee.depth ? state.pointee.levels[depth].count : 0 }

    /// Writes the closing bracket of the value at `depth`.
    @inline(__always)
    func close(_ depth: Int) {
        switch state.pointee.levels[depth].kind {
        case .object: state.pointee.writer.write(byte: UInt8(ascii: "}"))
        case .array: state.pointee.writer.write(byte: UInt8(ascii: "]"))
        case .nothing: state.pointee.writer.write(raw: "{}")
        case .scalar: break
        }
    }
}

// Beginning values, members and elements.
extension EncodingText {
    /// Begins the container that the value at `depth` is; false if it is something else already.
    @inline(__always)
    func begin(_ kind: EncodingLevel.Kind, at depth: Int) -> Bool {
        guard depth == state.pointee.depth else { return false }
        if state.pointee.levels[depth].kind == kind { return true }
        guard state.pointee.levels[depth].kind == .nothing else { return false }
        state.pointee.levels[depth].kind = kind
        state.pointee.writer.write(byte: kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        return true
    }

    /// Begins the scalar that the value at `depth` is.
    @inline(__always)
    func beginScalar(at depth: Int) throws {
        guard depth == state.pointee.depth, state.pointee.levels[depth].kind == .nothing else {
            throw misuse(at: depth)
        }
        state.pointee.levels[depth].kind = .scalar
    }

    /// Writes the key of the next member.
    @inline(__always)
    func beginMember(_ key: some CodingKey, isDictionary: Bool, at depth: Int) throws {
        guard depth == state.pointee.depth, state.pointee.levels[depth].kind == .object else {
            throw misuse(at: depth)
        }
        let isFirst = state.pointee.levels[depth].count == 0
        state.pointee.levels[depth].count &+= 1
        if isDictionary {
            if !isFirst { state.pointee.writer.write(byte: UInt8(ascii: ",")) }
            state.pointee.writer.write(key.stringValue)
            state.pointee.writer.write(byte: UInt8(ascii: ":"))
            return
        }
        let number = state.pointee.keys.pointee.number(of: key) { codingPath(depth) }
        if !state.pointee.levels[depth].insertKey(number) { branch.session.hasDuplicates = true }
        let text = state.pointee.keys.pointee.texts[number]
        state.pointee.writer.write(isFirst ? text.withoutFirst : text)
    }

    /// Writes the comma before the next element.
    @inline(__always)
    func beginElement(at depth: Int) throws {
        guard depth == state.pointee.depth, state.pointee.levels[depth].kind == .array else {
            throw misuse(at: depth)
        }
        if state.pointee.levels[depth].count > 0 { state.pointee.writer.write(byte: UInt8(ascii: ",")) }
        state.pointee.levels[depth].count &+= 1
    }

    /// The value at `depth` is not what may be written to now.
    @inline(never)
    func misuse(at depth: Int) -> any Error {
        EncodingError.invalidValue(
            depth,
            EncodingError.Context(
                codingPath: branch.base,
                debugDescription: "A value was encoded as two things, or into a container that is already closed."))
    }

    /// Begins a branch where the text stands.
    func makeBranch(_ path: [any CodingKey]) -> EncodingBranch {
        let made = EncodingBranch(branch.session, path: path, capacity: 128)
        let position = state.pointee.writer.count
        state.pointee.edits.append(EncodingState.Edit(start: position, end: position, branch: made))
        return made
    }
}

// Members and elements that are more than a scalar.
extension EncodingText {
    /// Writes a member's value behind its key, or leaves the member out when it throws.
    @inline(__always)
    func encodeMember<Value: Encodable>(
        _ value: Value, _ key: some CodingKey, isDictionary: Bool, at depth: Int
    ) throws {
        let start = state.pointee.writer.count
        try beginMember(key, isDictionary: isDictionary, at: depth)
        _ = state.pointee.path.step(from: Place(depth: depth), into: key)
        try encodeInside(value, at: depth, from: start)
    }

    /// Writes an element, or leaves it out when it throws.
    @inline(__always)
    func encodeElement<Value: Encodable>(_ value: Value, at depth: Int) throws {
        let start = state.pointee.writer.count
        try beginElement(at: depth)
        let index = state.pointee.levels[depth].count &- 1
        _ = state.pointee.path.step(from: Place(depth: depth), intoElement: index)
        try encodeInside(value, at: depth, from: start)
    }

    @inline(__always)
    private func encodeInside<Value: Encodable>(_ value: Value, at depth: Int, from start: Int) throws {
        state.pointee.descend(from: depth)
        do {
            try write(value, at: depth &+ 1)
            state.pointee.depth = depth
        } catch {
            state.pointee.depth = depth
            leaveOut(from: start, at: depth)
            throw error
        }
        close(depth &+ 1)
    }

    /// Takes back a member or an element that threw: whoever catches the error goes on without it.
    private func leaveOut(from start: Int, at depth: Int) {
        state.pointee.levels[depth].count -= 1
        while let last = state.pointee.edits.last, last.start >= start { state.pointee.edits.removeLast() }
        state.pointee.edits.append(EncodingState.Edit(start: start, end: state.pointee.writer.count))
    }
}
