/// Collects repairs while a document is read.
///
/// It counts equal repairs together, and it can roll back what was noted inside an element that is then dropped.
package struct DriftLedger {
    private struct Key: Hashable {
        let kind: DriftReport.Kind
        let reason: DriftReport.Reason
        let location: UInt64

        // The location alone separates nearly all keys.
        func hash(into hasher: inout Hasher) { hasher.combine(location) }
    }

    private var entries: [DriftReport.Entry] = []
    /// The key of each entry.
    private var keys: [Key] = []
    private var indices: [Key: Int] = [:]
    private var unlisted = 0
    /// The entries that grew since the outermost mark, in order, and by how much; -1 for unlisted repairs.
    private var log: [(index: Int, count: Int)] = []
    private var marks = 0

    package init() {}

    package var report: DriftReport {
        var report = DriftReport()
        report.entries = entries
        report.unlisted = unlisted
        return report
    }

    /// Counts a repair.
    ///
    /// `hash` identifies the path pattern. `path` renders the path, with or without indices, and `from` the place in the
    /// document; they are only called for a new entry.
    package mutating func note(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, hash: UInt64, count: Int = 1,
        from: @autoclosure () -> String? = nil, path: (_ indexed: Bool) -> String
    ) {
        let key = Key(kind: kind, reason: reason, location: hash)
        var index = indices[key] ?? -1
        if index >= 0 {
            entries[index].count += count
        } else if entries.count < DriftReport.maximumEntries {
            index = entries.count
            indices[key] = index
            keys.append(key)
            entries.append(
                DriftReport.Entry(
                    kind: kind, path: path(false), from: from(), reason: reason, count: count, example: path(true)))
        } else {
            unlisted += count
        }
        if marks > 0 { log.append((index, count)) }
    }

    /// Counts a repair at a location.
    package mutating func note(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, count: Int = 1, at location: inout LocationStack
    ) {
        let hash = location.hash()
        note(kind, reason, hash: hash, count: count, from: location.origin) { location.path(indexed: $0) }
    }

    /// Adds the repairs of a report; must not be called between `mark` and `forget`.
    package mutating func take(_ report: DriftReport, hash: (String) -> UInt64) {
        for entry in report.entries {
            note(entry.kind, entry.reason, hash: hash(entry.path), count: entry.count, from: entry.from) {
                $0 ? entry.example : entry.path
            }
        }
        unlisted += report.unlisted
    }

    /// Returns a mark, which must be passed to `forget` or `rollBack`.
    @inline(__always)
    package mutating func mark() -> Int {
        marks += 1
        return log.count
    }

    /// Keeps what was noted since `mark`.
    @inline(__always)
    package mutating func forget(_ mark: Int) {
        marks -= 1
        if marks == 0, !log.isEmpty { log.removeAll(keepingCapacity: true) }
    }

    /// Removes what was noted since `mark`.
    package mutating func rollBack(to mark: Int) {
        for (index, count) in log[mark...] {
            if index < 0 { unlisted -= count } else { entries[index].count -= count }
        }
        log.removeSubrange(mark...)
        // Entries that were made since the mark are the last ones, and their counts are now zero.
        while entries.last?.count == 0 {
            entries.removeLast()
            indices[keys.removeLast()] = nil
        }
        forget(mark)
    }

    /// Returns why a value at this location was dropped or defaulted; nil if it was not.
    package func reasonOfLoss(at location: inout LocationStack) -> DriftReport.Reason? {
        let hash = location.hash()
        return keys.last { $0.location == hash && ($0.kind == .dropped || $0.kind == .defaulted) }?.reason
    }
}
