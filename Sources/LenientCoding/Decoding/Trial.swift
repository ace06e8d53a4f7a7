/// The decode of a value that may be left out, and what was noted in it with it.
struct Trial {
    private let ledger: Int
    private let objects: Int
    /// Nil where no recorder had been lent yet.
    private let recorder: Int?

    fileprivate init(_ state: inout DecodingState) {
        ledger = state.drift.mark()
        objects = state.unknownMembers.count
        recorder = state.recorder?.mark()
    }

    fileprivate func end(in state: inout DecodingState, isKept: Bool) {
        if isKept {
            state.drift.forget(ledger)
            if let recorder { state.recorder?.forget(recorder) }
        } else {
            state.drift.rollBack(to: ledger)
            state.unknownMembers.takeBack(to: objects)
            if let recorder { state.recorder?.rollBack(to: recorder) } else { state.recorder?.reset() }
        }
    }
}

extension DecodingSession {
    /// Begins to decode a value of which it is not sure that it will be kept.
    func beginTrial() -> Trial { Trial(&state.pointee) }

    /// Lets what was noted in the value stand, or takes it back.
    func end(_ trial: Trial, isKept: Bool) {
        if isLive { trial.end(in: &state.pointee, isKept: isKept) }
    }
}
