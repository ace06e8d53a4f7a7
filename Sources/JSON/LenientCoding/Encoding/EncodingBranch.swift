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

    /// Begins the value at `depth` as a container; returns false if it has another kind or is closed.
    func begin(_ kind: EncodingText.Kind, at depth: Int) -> Bool { text.begin(kind, at: depth) }

    /// Returns a branch for a nested container, whose text is inserted here behind what `begin` begins.
    func nested(_ begin: () -> Bool, _ path: () -> ValueEncoder) -> EncodingBranch {
        guard begin() else { return refused(path()) }
        let branch = EncodingBranch(state)
        text.insert(branch)
        return branch
    }

    /// Returns a branch whose text is ignored, for a container that must not be encoded here.
    ///
    /// The requirements for containers cannot throw, so the error is thrown at the end of the encoding.
    func refused(_ path: ValueEncoder) -> EncodingBranch {
        state.misuse = Self.misuse(path)
        return EncodingBranch(state)
    }

    // MARK: Values

    func beginScalar(at depth: Int) -> Bool { text.beginScalar(at: depth) }
    func beginElement(at depth: Int) -> Bool { text.beginElement(at: depth) }
    /// Begins a member of a dictionary.
    func beginEntry(_ name: String, at depth: Int) -> Bool { text.beginMember(at: depth, nil, named: name) }

    /// Begins a member with a key of known spelling; returns nil if it is not known, false if the object is not open.
    @inline(__always)
    func beginMember(_ name: String, spelledBy spellings: KeySpellings, at depth: Int) -> Bool? {
        spellings.begin(name, at: depth, in: &text)
    }

    /// Begins a member with a key of unknown spelling; returns false if the object is not open.
    func beginNewMember(_ key: some CodingKey, _ spellings: KeySpellings?, of object: ValueEncoder) -> Bool {
        let name = key.stringValue
        guard let spellings else { return text.beginMember(at: object.depth, nil, named: name) }
        let spelling: String
        switch state.configuration.keyEncodingStrategy {
        case .useDefaultKeys: spelling = name
        case .convertToSnakeCase: spelling = SnakeCase.snakeCased(name)
        case .custom(let convert):
            // Not cached: the closure may convert a key differently at another path.
            let converted = convert(object.keys + [key]).stringValue
            return text.beginMember(at: object.depth, state.number(of: converted), named: converted)
        }
        return spellings.begin(
            name, spelled: spelling, number: state.number(of: spelling), at: object.depth, in: &text)
    }

    /// Calls `body` to encode the element or member that `begin` begins; removes what is written of it if it throws.
    @inline(__always)
    func nest(_ begin: () -> Bool, _ path: () -> ValueEncoder, _ body: () throws -> Void) throws {
        let start = text.end
        guard begin() else { throw Self.misuse(path()) }
        text.enter()
        do {
            try body()
            text.leave()
        } catch {
            text.abandon(from: start)
            throw error
        }
    }

    /// Calls `body` to write the value that `begin` begins.
    @inline(__always)
    func write(_ begin: () -> Bool, _ path: () -> ValueEncoder, _ body: (inout JSONWriter) -> Void) throws {
        guard begin() else { throw Self.misuse(path()) }
        text.write(body)
    }

    /// Writes a scalar that was begun.
    @inline(__always)
    func write<Value: WritableScalar>(_ value: Value) { text.write { value.writeScalar(to: &$0) } }

    /// Writes the scalar that `begin` begins.
    @inline(__always)
    func write<Value: WritableScalar>(_ value: Value, _ begin: () -> Bool, _ path: () -> ValueEncoder) throws {
        if value.nonFinite != nil { return try writeSubstitute(for: value, begin, path) }
        guard begin() else { throw Self.misuse(path()) }
        write(value)
    }

    private func writeSubstitute<Value: WritableScalar>(
        for value: Value, _ begin: () -> Bool, _ path: () -> ValueEncoder
    ) throws {
        let substitute = try substitute(for: value, path())
        try write(begin, path) { substitute.writeScalar(to: &$0) }
    }

    private func substitute<Value: WritableScalar>(for value: Value, _ path: ValueEncoder) throws -> any WritableScalar
    {
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

    private static func misuse(_ path: ValueEncoder) -> EncodingError {
        .invalidValue(
            "",
            EncodingError.Context(
                codingPath: path.keys,
                debugDescription: "A value was encoded twice, or into a container that is already closed."))
    }
}
