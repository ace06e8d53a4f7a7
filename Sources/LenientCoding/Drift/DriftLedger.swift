/// Gathers repairs while a document is read: knows the place, counts equal repairs together, and can take back what
/// was noted inside an element that is then dropped.
struct DriftLedger {
    /// A step of the way from the document to the value at hand.
    private enum Step {
        case field(String)
        case element(Int)
    }

    private struct Key: Hashable {
        let kind: DriftReport.Kind
        let reason: DriftReport.Reason
        let place: UInt64
    }

    /// The longest key of the document that a path shows, in characters.
    private static let maximumNameLength = 64

    private var steps: [Step] = []
    /// The hash of the way to each step, elements counted as equal.
    private var hashes: [UInt64] = []
    private var entries: [DriftReport.Entry] = []
    /// The key of each entry.
    private var keys: [Key] = []
    private var unlisted = 0
    private var indices: [Key: Int] = [:]
    /// The entries counted up, in order; -1 for an unlisted repair.
    private var log: [Int] = []

    mutating func enter(_ field: String) {
        hashes.append(Self.hash(field, after: hashes.last ?? 0))
        steps.append(.field(field))
    }

    mutating func enterElement(_ index: Int) {
        hashes.append((hashes.last ?? 0) &* 31 &+ 1)
        steps.append(.element(index))
    }

    mutating func leave() {
        hashes.removeLast()
        steps.removeLast()
    }

    mutating func note(_ kind: DriftReport.Kind, _ reason: DriftReport.Reason, field: String?) {
        let here = hashes.last ?? 0
        let key = Key(kind: kind, reason: reason, place: field.map { Self.hash($0, after: here) } ?? here)
        if let index = indices[key] {
            entries[index].count += 1
            log.append(index)
        } else if entries.count < DriftReport.maximumEntries {
            indices[key] = entries.count
            log.append(entries.count)
            var entry = entry(kind, reason, field)
            entry.count = 1
            entries.append(entry)
            keys.append(key)
        } else {
            unlisted += 1
            log.append(-1)
        }
    }

    /// Where the log stands.
    var mark: Int { log.count }

    mutating func rollBack(to mark: Int) {
        for index in log[mark...] {
            if index < 0 { unlisted -= 1 } else { entries[index].count -= 1 }
        }
        log.removeSubrange(mark...)
        // The entries made since the mark are the last ones, and nothing counts in them any more.
        while entries.last?.count == 0 {
            entries.removeLast()
            indices[keys.removeLast()] = nil
        }
    }

    var report: DriftReport {
        var report = DriftReport()
        report.entries = entries
        report.unlisted = unlisted
        return report
    }

    /// The path of the value at hand, or of its field `field`.
    func place(field: String?) -> String { path(field, indexed: true) }

    private func entry(
        _ kind: DriftReport.Kind, _ reason: DriftReport.Reason, _ field: String?
    ) -> DriftReport.Entry {
        DriftReport.Entry(
            kind: kind, path: path(field, indexed: false), reason: reason, count: 0, example: path(field, indexed: true)
        )
    }

    private func path(_ field: String?, indexed: Bool) -> String {
        var path = ""
        for step in steps + (field.map { [Step.field($0)] } ?? []) {
            switch step {
            case .field(let name): path += (path.isEmpty ? "" : ".") + name.prefix(Self.maximumNameLength)
            case .element(let index): path += indexed ? "[\(index)]" : "[]"
            }
        }
        return path
    }

    private static func hash(_ name: String, after hash: UInt64) -> UInt64 {
        // FNV-1a: a place is told apart from a few hundred others, not from an adversary's.
        name.utf8.reduce(hash &* 31 ^ 0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
