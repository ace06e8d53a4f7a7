/// Gathers the repairs of one decode, equal ones together.
final class DecodingDrift {
    /// The longest key of the document that a path shows, in characters.
    private static let maximumNameLength = 64

    private struct Entry {
        let kind: DriftReport.Kind
        let reason: DriftReport.Reason
        let path: String
        let example: String
        var count = 0
    }

    private var entries: [Entry] = []
    private var unlisted = 0
    /// The entry of each kind, reason and path, by their hash.
    private var indices: [Int: Int] = [:]
    /// The entries counted up, in order; -1 for an unlisted repair.
    private var log: [Int] = []

    /// Counts a repair at the end of `steps`.
    func note(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, _ steps: UnsafeBufferPointer<CodingPath.Step>
    ) {
        let hash = Self.hash(kind, reason, steps)
        if let index = indices[hash] {
            entries[index].count += 1
            log.append(index)
        } else if entries.count < DriftReport.maximumEntries {
            indices[hash] = entries.count
            log.append(entries.count)
            entries.append(
                Entry(
                    kind: kind, reason: reason, path: Self.path(steps, indexed: false),
                    example: Self.path(steps, indexed: true), count: 1))
        } else {
            unlisted += 1
            log.append(-1)
        }
    }

    /// Where the log stands.
    var mark: Int { log.count }

    /// Takes back what was noted since `mark`: inside a value that is then left out.
    func rollBack(to mark: Int) {
        guard log.count > mark else { return }
        for index in log[mark...] {
            if index < 0 { unlisted -= 1 } else { entries[index].count -= 1 }
        }
        log.removeSubrange(mark...)
    }

    /// What was noted, in the order in which the places were first met.
    var report: DriftReport {
        var report = DriftReport()
        report.entries = entries.compactMap {
            $0.count == 0
                ? nil
                : DriftReport.Entry(
                    kind: $0.kind, path: $0.path, reason: $0.reason, count: $0.count, example: $0.example)
        }
        report.unlisted = unlisted
        return report
    }

    private static func hash(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, _ steps: UnsafeBufferPointer<CodingPath.Step>
    ) -> Int {
        // Seeded at random, 64 bits: two places of one document do not meet in one hash.
        var hasher = Hasher()
        hasher.combine(kind)
        hasher.combine(reason)
        for step in steps { hasher.combine(step.key?.stringValue) }
        return hasher.finalize()
    }

    private static func path(_ steps: UnsafeBufferPointer<CodingPath.Step>, indexed: Bool) -> String {
        var path = ""
        for step in steps {
            if let key = step.key {
                path += (path.isEmpty ? "" : ".") + key.stringValue.prefix(maximumNameLength)
            } else {
                path += indexed ? "[\(step.index)]" : "[]"
            }
        }
        return path
    }
}
