import JSONText

/// A text that is written from its start to its end: the document, or a container that was handed out.
///
/// A container that a container hands out may be written to later than what follows it. It is a branch of its own,
/// which is put in where it belongs at the end.
final class EncodingBranch {
    let session: EncodingSession
    /// The keys that lead to the branch.
    let base: [any CodingKey]
    private let state: UnsafeMutablePointer<EncodingState>

    init(_ session: EncodingSession, path base: [any CodingKey], capacity: Int = 0) {
        self.session = session
        self.base = base
        state = .allocate(capacity: 1)
        state.initialize(to: EncodingState(self, keys: session.keys, capacity: capacity))
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    var text: EncodingText { EncodingText(state: state) }

    /// The branch's own value as an object.
    ///
    /// Asked of the branch and not of its text, so that it lives as long as that takes.
    func keyedContainer<Key>(at depth: Int) -> KeyedEncodingContainer<Key> {
        withExtendedLifetime(self) { text.keyedContainer(at: depth) }
    }

    /// The branch's own value as an array.
    func unkeyedContainer(at depth: Int) -> any UnkeyedEncodingContainer {
        withExtendedLifetime(self) { text.unkeyedContainer(at: depth) }
    }

    /// Lets `body` write the branch's text with `writer`.
    func withWriter(_ writer: inout JSONWriter, _ body: () throws -> Void) rethrows {
        swap(&writer, &state.pointee.writer)
        defer { swap(&writer, &state.pointee.writer) }
        try body()
    }

    /// The branch's own text, of which `own` is all, with the other branches in their places.
    func spliced(_ own: [UInt8]) -> [UInt8] {
        if state.pointee.edits.isEmpty { return own }
        var whole: [UInt8] = []
        whole.reserveCapacity(own.count * 2)
        var written = 0
        for edit in state.pointee.edits {
            whole += own[written..<edit.start]
            if let branch = edit.branch { whole += branch.finished() }
            written = edit.end
        }
        return whole + own[written...]
    }

    /// The whole text with its branches in their places.
    private func finished() -> [UInt8] {
        text.close(0)
        return spliced(state.pointee.writer.bytes)
    }
}
