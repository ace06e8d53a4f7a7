import JSONText

/// The text of the document or of a nested container, shared by its encoders and containers.
///
/// A nested container may be encoded after its siblings, so it is a branch with a text of its own, which is inserted
/// into its parent's text at the end.
final class EncodingBranch {
    let state: EncodingState
    // Unchecked: a check for each member took 8 % of an encoding. No method calls out while it accesses the text.
    @exclusivity(unchecked) private var text: EncodingText

    init(_ state: EncodingState, capacity: Int = 128) {
        self.state = state
        text = EncodingText(capacity: capacity)
    }

    var isBegun: Bool { text.isBegun }

    /// The number of elements of the array at `depth`.
    func count(at depth: Int) -> Int { text.count(at: depth) }

    /// Returns the text with the texts of all nested branches.
    func finished() -> [UInt8] {
        if text.hasDuplicates { state.hasDuplicates = true }
        return text.finish()
    }

    // MARK: Containers

    func keyedContainer<Key>(at depth: Int, isDictionary: Bool, _ path: CodingPath) -> KeyedEncodingContainer<Key> {
        let (branch, depth) = begin(.object, at: depth, path)
        let spellings = isDictionary ? nil : state.spellings(of: Key.self)
        return KeyedEncodingContainer(KeyedWriter<Key>(ObjectWriter(branch, at: depth, path, spellings)))
    }

    func unkeyedContainer(at depth: Int, _ path: CodingPath) -> any UnkeyedEncodingContainer {
        let (branch, depth) = begin(.array, at: depth, path)
        return UnkeyedWriter(branch, depth: depth, path)
    }

    private func begin(_ kind: EncodingText.Kind, at depth: Int, _ path: CodingPath) -> (EncodingBranch, Int) {
        text.begin(kind, at: depth) ? (self, depth) : refused(path).begin(kind, at: 0, path)
    }

    /// Returns a branch for a nested container, whose text is inserted here.
    func nested(_ slot: EncodingText.Slot, at depth: Int, _ path: CodingPath) -> EncodingBranch {
        guard text.begin(slot, at: depth) else { return refused(path) }
        let branch = EncodingBranch(state)
        text.insert(branch)
        return branch
    }

    /// Returns a branch whose text is ignored, for a container that must not be encoded here.
    ///
    /// The requirements for containers cannot throw, so the error is thrown at the end of the encoding.
    private func refused(_ path: CodingPath) -> EncodingBranch {
        state.misuse = Self.misuse(path)
        return EncodingBranch(state)
    }

    // MARK: Values

    /// Encodes an element or a member of the container at `depth`; removes what is written of it if it throws.
    func encode<Value: Encodable>(_ value: Value, _ slot: EncodingText.Slot, at depth: Int, _ path: CodingPath) throws {
        let start = text.end
        guard text.begin(slot, at: depth) else { throw Self.misuse(path) }
        text.enter()
        do {
            try ValueEncoder(self, depth: depth + 1, path).encode(value)
            text.leave()
        } catch {
            text.abandon(from: start)
            throw error
        }
    }

    /// Calls `body` to write one value as text.
    @inline(__always)
    func write(
        _ slot: EncodingText.Slot, at depth: Int, _ path: @autoclosure () -> CodingPath,
        _ body: (inout JSONWriter) -> Void
    ) throws {
        guard text.write(slot, at: depth, body) else { throw Self.misuse(path()) }
    }

    /// Writes a scalar.
    @inline(__always)
    func write<Value: WritableScalar>(
        _ value: Value, _ slot: @autoclosure () -> EncodingText.Slot, at depth: Int,
        _ path: @autoclosure () -> CodingPath
    ) throws {
        if value.nonFinite == nil { return try write(slot(), at: depth, path()) { value.writeScalar(to: &$0) } }
        let substitute = try substitute(for: value, path())
        try write(slot(), at: depth, path()) { substitute.writeScalar(to: &$0) }
    }

    private func substitute<Value: WritableScalar>(for value: Value, _ path: CodingPath) throws -> any WritableScalar {
        switch state.configuration.nonConformingFloatEncodingStrategy {
        case .null: return Null()
        case .convertToString(let positiveInfinity, let negativeInfinity, let nan):
            let number = value.nonFinite ?? .nan
            return number.isNaN ? nan : number > 0 ? positiveInfinity : negativeInfinity
        case .throw:
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(codingPath: path.keys, debugDescription: "JSON has no number for \(value)."))
        }
    }

    private static func misuse(_ path: CodingPath) -> EncodingError {
        .invalidValue(
            "",
            EncodingError.Context(
                codingPath: path.keys,
                debugDescription: "A value was encoded twice, or into a container that is already closed."))
    }
}
