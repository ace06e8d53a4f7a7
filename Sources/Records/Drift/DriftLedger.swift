/// Gathers repairs while a document is read: counts equal repairs together, and can take back what was noted inside an
/// element that is then dropped.
package struct DriftLedger {
    package init() {}

    private struct Key: Hashable {
        let kind: DriftReport.Kind
        let reason: DriftReport.Reason
        let place: UInt64

        /// By the place alone, which tells nearly all of them apart.
        func hash(into hasher: inout Hasher) { hasher.combine(place) }
    }

    private var entries: [DriftReport.Entry] = []
    /// The key of each entry.
    private var keys: [Key] = []
    private var indices: [Key: Int] = [:]
    private var unlisted = 0
    /// The entries counted up since the outermost mark, in order; -1 for an unlisted repair.
    private var log: [Int] = []
    private var marks = 0

    /// Counts a repair at a place.
    ///
    /// `hash` tells the place from others, elements of one array counted as equal; `path` spells it where it is new,
    /// with the indices of elements or without.
    package mutating func note(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, hash: UInt64, count: Int = 1,
        path: (_ indexed: Bool) -> String
    ) {
        let key = Key(kind: kind, reason: reason, place: hash)
        var index = indices[key] ?? -1
        if index >= 0 {
            entries[index].count += count
        } else if entries.count < DriftReport.maximumEntries {
            index = entries.count
            indices[key] = index
            keys.append(key)
            entries.append(
                DriftReport.Entry(kind: kind, path: path(false), reason: reason, count: count, example: path(true)))
        } else {
            unlisted += count
        }
        if marks > 0 { log.append(index) }
    }

    /// Counts a repair of the value at hand.
    package mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, at place: borrowing LocationStack) {
        note(kind, reason, hash: place.hash) { place.path(indexed: $0) }
    }

    /// Counts a repair of which it is not said where.
    package mutating func noteUnlisted() { unlisted += 1 }

    /// Counts what another account has, whose places `hash` tells apart; outside of any mark.
    package mutating func take(_ report: DriftReport, hash: (String) -> UInt64) {
        for entry in report.entries {
            note(entry.kind, entry.reason, hash: hash(entry.path), count: entry.count) {
                $0 ? entry.example : entry.path
            }
        }
        unlisted += report.unlisted
    }

    /// Remembers where the account stands, until `forget` or `rollBack`.
    @inline(__always)
    package mutating func mark() -> Int {
        marks += 1
        return log.count
    }

    /// Lets what was noted since `mark` stand.
    @inline(__always)
    package mutating func forget(_ mark: Int) {
        marks -= 1
        if marks == 0, !log.isEmpty { log.removeAll(keepingCapacity: true) }
    }

    /// Takes back what was noted since `mark`.
    package mutating func rollBack(to mark: Int) {
        for index in log[mark...] {
            if index < 0 { unlisted -= 1 } else { entries[index].count -= 1 }
        }
        log.removeSubrange(mark...)
        // The entries made since the mark are the last ones, and nothing counts in them any more.
        while entries.last?.count == 0 {
            entries.removeLast()
            indices[keys.removeLast()] = nil
        }
        forget(mark)
    }

    /// Why a value at this place was left out; nil where none was.
    package func reasonOfLoss(at place: borrowing LocationStack) -> DriftReport.Reason? {
        let hash = place.hash
        return keys.last { $0.place == hash && ($0.kind == .dropped || $0.kind == .defaulted) }?.reason
    }

    package var report: DriftReport {
        var report = DriftReport()
        report.entries = entries
        report.unlisted = unlisted
        return report
    }
}
