/// The repairs of one decode.
struct Repairs {
    var drift = DriftLedger()
    var unknownMembers = UnknownMembers()
    /// Takes what the helpers and wrappers of this library note, unless the caller has a recorder.
    var recorder: DriftRecorder?
    /// The objects whose duplicate keys were noted.
    private var checkedObjects: Set<UInt32> = []

    /// The repairs so far.
    var report: DriftReport {
        var ledger = drift
        unknownMembers.report(to: &ledger)
        var report = ledger.report
        if let noted = recorder?.report { report.merge(noted) }
        return report
    }

    /// Notes the names that stand more than once in an object, the first time that it is read.
    mutating func noteDuplicates(_ names: [String], of object: UInt32, _ path: CodingPath) {
        guard checkedObjects.insert(object).inserted else { return }
        for name in names { drift.note(.duplicateKey, .duplicate, at: .member(PathKey(stringValue: name), of: path)) }
    }

    // MARK: Values that may be left out

    struct Mark {
        fileprivate let drift: Int
        fileprivate let objects: Int
        fileprivate let recorder: Int?
    }

    /// Returns a mark, which must be passed to `keep` or `rollBack`.
    mutating func mark() -> Mark {
        Mark(drift: drift.mark(), objects: unknownMembers.count, recorder: recorder?.mark())
    }

    /// Keeps what was noted since `mark`.
    mutating func keep(_ mark: Mark) {
        drift.forget(mark.drift)
        if let mark = mark.recorder { recorder?.forget(mark) }
    }

    /// Takes back what was noted since `mark`.
    mutating func rollBack(to mark: Mark) {
        drift.rollBack(to: mark.drift)
        unknownMembers.removeLast(to: mark.objects)
        // Without a mark the recorder was made later, and all of its repairs are since then.
        if let mark = mark.recorder { recorder?.rollBack(to: mark) } else { recorder?.reset() }
    }
}

extension DriftLedger {
    /// Counts a repair of the value at `path`.
    mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, at path: CodingPath) {
        note(kind, reason, hash: path.patternHash) { path.text(indexed: $0) }
    }
}
