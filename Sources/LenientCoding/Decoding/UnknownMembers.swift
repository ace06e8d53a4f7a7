/// The members of objects that no coding key matched.
///
/// The list is final only at the end of the decode, because another type may read the same object later.
struct UnknownMembers {
    private struct Object {
        let position: UInt32
        let path: ValueDecoder
        /// The names that no coding key has matched so far, in the order of the document.
        var names: [String]
    }

    private var objects: [Object] = []
    private var indices: [UInt32: Int] = [:]
    /// Caches whether a type of coding keys has a key of a name, because creating a key is slow.
    private var known: [ObjectIdentifier: [Name: Bool]] = [:]

    /// The number of objects that were read.
    var count: Int { objects.count }

    /// Notes that an object whose members have the given names is read with coding keys of the given type.
    mutating func note<Key: CodingKey>(
        _ names: [MemberName], readWith type: Key.Type, in position: UInt32,
        _ path: ValueDecoder
    ) {
        let unknown = names.filter { !isKnown($0, type) }.map(\.spelled)
        guard let index = indices[position] else {
            indices[position] = objects.count
            return objects.append(Object(position: position, path: path, names: unknown))
        }
        let stillUnknown = Set(unknown.map(Name.init))
        objects[index].names.removeAll { !stillUnknown.contains(Name(text: $0)) }
    }

    /// Removes a member that a coding key matched although no key can be created from its name.
    mutating func remove(_ name: String, from position: UInt32) {
        guard let index = indices[position] else { return }
        objects[index].names.removeAll { NameIndex.areEqual($0, name) }
    }

    /// Removes all but the first `count` objects.
    mutating func removeLast(to count: Int) {
        while objects.count > count { indices[objects.removeLast().position] = nil }
    }

    /// Notes the unknown members in `ledger`.
    func report(to ledger: inout DriftLedger) {
        for object in objects {
            for name in object.names {
                ledger.note(.unexpectedKey, .unknownKey, at: object.path.member(PathKey(stringValue: name)))
            }
        }
    }

    private mutating func isKnown<Key: CodingKey>(_ name: MemberName, _ type: Key.Type) -> Bool {
        let spelled = Name(text: name.spelled)
        if let answer = known[ObjectIdentifier(type)]?[spelled] { return answer }
        let answer = name.key(type) != nil
        known[ObjectIdentifier(type), default: [:]][spelled] = answer
        return answer
    }
}
