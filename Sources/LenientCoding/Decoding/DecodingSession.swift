import JSONText

/// One decode, as its decoders and containers refer to it.
///
/// A decoder that a type kept refers to a decode that has ended: every use finds that out.
struct DecodingSession {
    let state: UnsafeMutablePointer<DecodingState>
    private let generation: UInt32

    init(_ state: UnsafeMutablePointer<DecodingState>) {
        self.state = state
        generation = state.pointee.generation
    }

    /// False once the document is gone.
    @inline(__always)
    var isLive: Bool { state.pointee.generation == generation }

    /// The value at `position`; to be called only while the session is live.
    @inline(__always)
    func node(_ position: UInt32) -> JSONNode {
        // There is a root while there is a session of this generation.
        state.pointee.root.unsafelyUnwrapped.node(at: position)
    }

    /// Throws once the document is gone.
    @inline(__always)
    func checkLiveness() throws {
        if !isLive { throw Self.outlived }
    }

    static var outlived: any Error {
        DecodingError.dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: "A decoder was used after the decoding it belongs to had ended."))
    }

    var userInfo: [CodingUserInfoKey: Any] {
        guard isLive else { return [:] }
        return state.pointee.makeUserInfo()
    }
}

// The coding path.
extension DecodingSession {
    /// Steps from `place` into a member.
    @inline(__always)
    func step(from place: Place, into key: some CodingKey) -> Place {
        state.pointee.path.step(from: place, into: key)
    }

    /// Steps from `place` into an element.
    @inline(__always)
    func step(from place: Place, intoElement index: Int) -> Place {
        state.pointee.path.step(from: place, intoElement: index)
    }

    /// A place in a member that stays where it is while the path leads elsewhere.
    func handOut(from place: Place, _ key: any CodingKey) -> Place {
        state.pointee.path.handOut(from: place, .member(key))
    }

    /// A place in an element that stays where it is while the path leads elsewhere.
    func handOut(from place: Place, element index: Int) -> Place {
        state.pointee.path.handOut(from: place, .element(index))
    }

    /// The coding path to `place`.
    func codingPath(_ place: Place) -> [any CodingKey] { isLive ? state.pointee.path.keys(to: place) : [] }
}

// Repairs.
extension DecodingSession {
    /// Notes a repair of the value at `place`.
    @inline(never)
    func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, _ place: Place) {
        state.pointee.drift.note(kind, reason, state.pointee.path.steps(to: place))
    }

    /// Notes the members of the object at `position` that stand more than once in it, unless that is done already.
    @inline(never)
    func noteDuplicates(of shape: UnsafeMutablePointer<ObjectShape>, at position: UInt32, _ place: Place) {
        guard state.pointee.reportedObjects.insert(position).inserted else { return }
        for name in shape.pointee.overriddenNames {
            note(.duplicateKey, .duplicate, step(from: place, into: PathKey(stringValue: name)))
        }
    }

    /// Notes the names of the object at `position` that the keys which read it do not know.
    @inline(never)
    func noteUnknown(_ names: UnknownNames?, at position: UInt32, _ place: Place) {
        let steps = state.pointee.path.steps(to: place)
        state.pointee.unknownMembers.note(names, of: position, steps)
    }
}
