import JSONText
import Records

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
        for name in duplicates { drift.note(.duplicateKey, .duplicate, at: path.member(RawCodingKey(name))) }
        for name in corrupt { drift.note(.coerced, .loneSurrogate, at: path.member(RawCodingKey(name))) }
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

/// The members of objects that no coding key matched.
///
/// The list is final only at the end of the decode, because another type may read the same object later, and a key may match
/// a member that had none before.
struct UnknownMembers {
    /// The objects of one shape at one path, whose unknown members are reported together.
    private struct Group {
        let key: GroupKey
        let names: UnknownNames
        /// The first object.
        let path: ValueDecoder
    }

    private struct GroupKey: Hashable {
        let names: ObjectIdentifier
        /// The path of the objects without the indices of elements.
        let pattern: UInt64
    }

    private var groups: [Group] = []
    private var indices: [GroupKey: Int] = [:]
    /// The position of each object that was read and its group, or -1 without unknown members, in the order of reading.
    private var objects: [(position: UInt32, group: Int)] = []

    /// Notes that the object at `position` is read by a type for which these members are unknown.
    mutating func note(_ names: UnknownNames, in position: UInt32, _ path: ValueDecoder) {
        objects.append((position, names.list.isEmpty ? -1 : group(names, path)))
    }

    private mutating func group(_ names: UnknownNames, _ path: ValueDecoder) -> Int {
        let key = GroupKey(names: ObjectIdentifier(names), pattern: path.patternHash)
        if let group = indices[key] { return group }
        indices[key] = groups.count
        groups.append(Group(key: key, names: names, path: path))
        return groups.count - 1
    }

    /// Notes the unknown members in `ledger`.
    func report(to ledger: inout DriftLedger) {
        // In this order, the types that read one object follow each other.
        var rest = objects.sorted { $0.position < $1.position }[...]
        /// The numbers of objects that the same types read, by their groups.
        var counts: [[Int]: Int] = [:]
        var order: [[Int]] = []
        while let position = rest.first?.position {
            let readers = rest.prefix { $0.position == position }
            rest = rest.dropFirst(readers.count)
            let groups = readers.map(\.group)
            if groups.contains(-1) { continue }
            if counts[groups] == nil { order.append(groups) }
            counts[groups, default: 0] += 1
        }
        for groups in order { report(groups, counts[groups] ?? 0, to: &ledger) }
    }

    /// Notes the members of `count` objects that are unknown in all of the groups.
    private func report(_ indices: [Int], _ count: Int, to ledger: inout DriftLedger) {
        let first = groups[indices[0]]
        var names = first.names.list
        for index in indices.dropFirst() where index != indices[0] {
            let others = Set(groups[index].names.list.map(Name.init))
            names.removeAll { !others.contains(Name(text: $0)) }
        }
        // Lazy, because a full ledger asks for no path.
        lazy var pattern = first.path.documentPath(indexed: false)
        lazy var example = first.path.documentPath(indexed: true)
        for name in names {
            let hash = PathStep.entry(name).patternHash(in: first.key.pattern)
            ledger.note(.unexpectedKey, .unknownKey, hash: hash, count: count) { indexed in
                var path = indexed ? example : pattern
                path.append(member: name)
                return path.text
            }
        }
    }

    // MARK: Rolling back

    struct Mark {
        fileprivate let objects: Int
        fileprivate let groups: Int
    }

    var mark: Mark { Mark(objects: objects.count, groups: groups.count) }

    /// Removes what was noted since `mark`.
    mutating func rollBack(to mark: Mark) {
        objects.removeSubrange(mark.objects...)
        while groups.count > mark.groups { indices[groups.removeLast().key] = nil }
    }
}

/// The names of an object's members for which a type of coding keys has no key, shared by the objects of a shape.
final class UnknownNames {
    @exclusivity(unchecked) private(set) var list: [String]

    init(_ list: [String]) { self.list = list }

    /// Removes a member that a coding key matched although no key can be created from its name.
    func remove(_ name: String) { list.removeAll { Name.areEqual($0, name) } }
}
