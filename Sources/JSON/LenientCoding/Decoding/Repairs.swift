/// The repairs of one decode.
struct Repairs {
    var drift = DriftLedger()
    var unknownMembers = UnknownMembers()
    /// Collects the repairs of wrappers and container calls, unless the caller has a recorder.
    var recorder: DriftRecorder?
    /// The objects whose faulty keys are already noted.
    private var checkedObjects: Set<UInt32> = []

    /// The repairs so far.
    var report: DriftReport {
        var ledger = drift
        unknownMembers.report(to: &ledger)
        var report = ledger.report
        if let noted = recorder?.report { report.merge(noted) }
        return report
    }

    /// Notes the faulty keys of an object, unless they are already noted.
    mutating func note(duplicates: [String], corrupt: [String], of object: UInt32, _ path: ValueDecoder) {
        guard checkedObjects.insert(object).inserted else { return }
        for name in duplicates { drift.note(.duplicateKey, .duplicate, at: path.member(PathKey(stringValue: name))) }
        for name in corrupt { drift.note(.coerced, .loneSurrogate, at: path.member(PathKey(stringValue: name))) }
    }

    // MARK: Rolling back

    struct Mark {
        fileprivate let drift: Int
        fileprivate let unknownMembers: UnknownMembers.Mark
        fileprivate let recorder: Int?
    }

    /// Returns a mark, which must be passed to `keep` or `rollBack`.
    mutating func mark() -> Mark {
        Mark(drift: drift.mark(), unknownMembers: unknownMembers.mark, recorder: recorder?.mark())
    }

    /// Keeps what was noted since `mark`.
    mutating func keep(_ mark: Mark) {
        drift.forget(mark.drift)
        if let mark = mark.recorder { recorder?.forget(mark) }
    }

    /// Removes what was noted since `mark`.
    mutating func rollBack(to mark: Mark) {
        drift.rollBack(to: mark.drift)
        unknownMembers.rollBack(to: mark.unknownMembers)
        // Without a mark, the recorder was created after it.
        if let mark = mark.recorder { recorder?.rollBack(to: mark) } else { recorder?.reset() }
    }
}

extension DriftLedger {
    /// Counts a repair of the value at `path`.
    mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, at path: ValueDecoder) {
        note(kind, reason, hash: path.patternHash) { path.text(indexed: $0) }
    }
}
