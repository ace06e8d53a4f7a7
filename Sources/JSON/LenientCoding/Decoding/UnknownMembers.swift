import JSONText

/// The members of objects that no coding key matched.
///
/// The objects are grouped, because those at the same place mostly have the same members: 60 objects with 197 unknown
/// members each, one by one, took three times as long as decoding them. The list is final only at the end of the decode,
/// because another type may read the same object later.
struct UnknownMembers {
    /// The objects at one place that the same types read and that have the same members.
    private struct Group {
        let key: GroupKey
        let names: UnknownNames
        /// The first object.
        let path: ValueDecoder
    }

    private struct GroupKey: Hashable {
        let names: ObjectIdentifier
        /// The place of the objects without the indices of elements.
        let pattern: UInt64
        /// The group of the objects before the last type read them, or -1.
        let outer: Int
    }

    private var groups: [Group] = []
    private var groupIndices: [GroupKey: Int] = [:]
    /// The position of each object, and its group, or -1 for an object without unknown members.
    private var objects: [(position: UInt32, group: Int)] = []
    /// The index of each object plus one by half of its position, since an object takes two; 0 for other values.
    private var indices: [Int32] = []
    /// The earlier groups of objects that changed theirs.
    private var changes: [(object: Int, group: Int)] = []

    /// Notes that an object is read by a type for which these members are unknown.
    mutating func note(_ names: UnknownNames, in position: UInt32, _ path: ValueDecoder) {
        let slot = Int(position / 2)
        if slot >= indices.count {
            indices.append(contentsOf: repeatElement(0, count: max(slot + 1 - indices.count, indices.count, 64)))
        }
        let object = Int(indices[slot]) - 1
        if object < 0 {
            objects.append((position, names.isEmpty ? -1 : group(names, -1, path)))
            indices[slot] = Int32(truncatingIfNeeded: objects.count)
            return
        }
        let outer = objects[object].group
        guard outer >= 0, groups[outer].names !== names else { return }
        changes.append((object, outer))
        objects[object].group = names.isEmpty ? -1 : group(names, outer, path)
    }

    private mutating func group(_ names: UnknownNames, _ outer: Int, _ path: ValueDecoder) -> Int {
        let key = GroupKey(names: ObjectIdentifier(names), pattern: path.patternHash, outer: outer)
        if names.group < groups.count, groups[names.group].key == key { return names.group }
        names.group = groupIndices[key] ?? groups.count
        if names.group == groups.count {
            groupIndices[key] = groups.count
            groups.append(Group(key: key, names: names, path: path))
        }
        return names.group
    }

    /// Notes the unknown members in `ledger`.
    func report(to ledger: inout DriftLedger) {
        var counts = [Int](repeating: 0, count: groups.count)
        var order: [Int] = []
        for (_, group) in objects where group >= 0 {
            if counts[group] == 0 { order.append(group) }
            counts[group] += 1
        }
        for index in order {
            let group = groups[index]
            // Lazy, because a full ledger asks for no path.
            lazy var pattern = group.path.documentPath(indexed: false)
            lazy var example = group.path.documentPath(indexed: true)
            for name in names(of: index) {
                let hash = PathStep.entry(name).patternHash(in: group.key.pattern)
                ledger.note(.unexpectedKey, .unknownKey, hash: hash, count: counts[index]) { indexed in
                    var path = indexed ? example : pattern
                    path.append(member: name)
                    return path.text
                }
            }
        }
    }

    /// The names that are unknown to all types that read the objects of a group.
    private func names(of index: Int) -> [String] {
        let group = groups[index]
        guard group.key.outer >= 0 else { return group.names.list }
        let others = Set(group.names.list.map(Name.init))
        return names(of: group.key.outer).filter { others.contains(Name(text: $0)) }
    }

    // MARK: Rolling back

    struct Mark {
        fileprivate let objects: Int
        fileprivate let groups: Int
        fileprivate let changes: Int
    }

    var mark: Mark { Mark(objects: objects.count, groups: groups.count, changes: changes.count) }

    /// Removes what was noted since `mark`.
    mutating func rollBack(to mark: Mark) {
        while changes.count > mark.changes {
            let change = changes.removeLast()
            objects[change.object].group = change.group
        }
        while objects.count > mark.objects { indices[Int(objects.removeLast().position / 2)] = 0 }
        while groups.count > mark.groups { groupIndices[groups.removeLast().key] = nil }
    }
}

/// The names of an object's members for which no coding key of a type was found so far, shared by the objects of a shape.
final class UnknownNames {
    @exclusivity(unchecked) private(set) var list: [String]
    /// The group that these names were noted in last.
    @exclusivity(unchecked) fileprivate(set) var group = 0

    init(_ list: [String]) { self.list = list }

    var isEmpty: Bool { list.isEmpty }

    /// Removes a member that a coding key matched although no key can be created from its name.
    func remove(_ name: String) { list.removeAll { NameIndex.areEqual($0, name) } }
}
